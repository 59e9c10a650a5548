import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { recordSent } from "~/platform/email/sent.ts";
import type { Services } from "~/platform/http/services.ts";
import { createPerson, type Person } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, letDaysPass } from "./support/students.ts";
import { expect, phone, test } from "./support/test.ts";

const everyWidth = { widths: [320, 360, 1280], night: true };

async function addPeople({ db, clock }: Services, people: { name: string; email: string }[]) {
  const now = clock.now();
  await db.write
    .insertInto("profiles")
    .values(
      people.map((person) => ({
        ...person,
        id: newId(),
        emailVerified: !person.email.startsWith("new"),
        role: "student" as const,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .execute();
}

const names = (page: import("@playwright/test").Page) => page.getByRole("rowheader");

test("she finds a student by the beginning of a name, in pages, by any order, and opens her", async ({
  site,
  device,
}) => {
  const { services } = site;
  const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const many = Array.from({ length: 60 }, (_, n) => ({
    name: `Person ${String(n).padStart(2, "0")}`,
    email: `p${String(n).padStart(2, "0")}@people.example`,
  }));
  await addPeople(services, [
    ...many,
    { name: "Renée Ménière", email: "new.renee@mail.example" },
    { name: "Maximiliana ".repeat(7).trim(), email: `${"maximiliana.".repeat(18)}m@mail.example` },
  ]);
  const page = await device({ as: admin });
  await page.goto("/admin/enrollments");
  await hydrated(page);
  await page.getByRole("link", { name: "All students" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Students" })).toBeVisible();
  await expect(names(page)).toHaveCount(50);
  await look(page, "admin-students-list", everyWidth);

  await page.getByRole("link", { name: "Next" }).click();
  await expect(names(page)).toHaveCount(13);
  await expect(page.getByText("Person 59")).toBeVisible();
  await look(page, "admin-students-last-page");
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(names(page)).toHaveCount(50);

  await page.getByRole("link", { name: "Name" }).click();
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await expect(names(page).first()).toContainText("Maximiliana");
  await page.getByRole("link", { name: "Name" }).click();
  await expect(names(page).first()).toContainText("Renée");

  const search = page.getByRole("searchbox", { name: "Search by name or email" });
  await search.fill("meniere");
  await search.press("Enter");
  await expect(names(page)).toHaveCount(1);
  await expect(page.getByText("Not confirmed")).toBeVisible();
  await look(page, "admin-students-found");
  await search.fill('"nobody* -at: all');
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: "No student found" })).toBeVisible();
  await look(page, "admin-students-nobody", everyWidth);
  await page.getByRole("link", { name: "Show all students" }).click();
  await expect(names(page)).toHaveCount(50);

  await search.fill("ménière");
  await search.press("Enter");
  await page.getByRole("link", { name: "Renée Ménière" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Renée Ménière" })).toBeVisible();
  await expect(page.getByText("Not enrolled in any course.")).toBeVisible();
  await expect(page.getByText("No email has been sent to this address yet.")).toBeVisible();
  await look(page, "admin-student-new", everyWidth);
});

/** A student of both courses with everything that her page can show. */
async function busyStudent(services: Services): Promise<Person> {
  const student = await createStudent(services, {
    courses: ["seven-days-of-calm", "blue-dot-method"],
    days: 9,
  });
  const { id: userId } = student;
  const lessons = await services.db.read
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select("lessons.id")
    .where("products.slug", "=", "blue-dot-method")
    .where("lessons.dripDay", "<", 9)
    .orderBy("modules.orderNum")
    .orderBy("lessons.orderNum")
    .limit(4)
    .execute();
  for (const { id: lessonId } of lessons)
    await completeLesson(services, {
      userId,
      lessonId,
      answers: [{ question: "How was it?", answer: "words-of-her-journal" }],
      drafts: [],
    });
  const { id: productId } = await services.db.read
    .selectFrom("products")
    .select("id")
    .where("slug", "=", "seven-days-of-calm")
    .executeTakeFirstOrThrow();
  const at = new Date(services.clock.now().getTime() - 400 * 24 * 3600_000);
  await services.db.write
    .insertInto("formerEnrollments")
    .values({
      id: newId(),
      userId,
      productId,
      stripePaymentId: "pi_3OqT8s2eZvKYlo2C1a2b3c4d",
      createdAt: at,
      removedAt: services.clock.now(),
      removedBy: userId,
    })
    .execute();
  await services.db.write
    .updateTable("enrollments")
    .set({ stripePaymentId: "pi_3OqT8s2eZvKYlo2C5e6f7g8h" })
    .where("userId", "=", userId)
    .where("productId", "<>", productId)
    .execute();
  for (let n = 0; n < 45; n += 1)
    await recordSent(services.db.write, { kind: "learning.module-completed", userId: null }, [
      {
        id: newId(),
        address: student.email,
        subject: `You finished “Module ${n}”`,
        at: new Date(at.getTime() + n * 24 * 3600_000),
      },
    ]);
  await recordSent(services.db.write, { kind: "accounts.reset-password", userId: null }, [
    { id: newId(), address: student.email, subject: "Choose a new password", at },
  ]);
  await letDaysPass(services, userId, 0);
  return student;
}

test("one student: her courses lesson by lesson, what she left, the mails that went out; no journal", async ({
  site,
  device,
}) => {
  const { services } = site;
  const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const student = await busyStudent(services);
  const page = await device({ as: admin });
  await page.goto(`/admin/students/${student.id}`);
  await hydrated(page);
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "Courses",
    "Former enrollments",
    "Emails sent",
    "Account",
  ]);
  await look(page, "admin-student", everyWidth);
  const course = page
    .locator("details")
    .filter({ hasText: "Payment: pi_3OqT8s2eZvKYlo2C5e6f7g8h" });
  await course.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(course.getByText(/^Completed /)).toHaveCount(4);
  await expect(course.getByText(/^Opens /).first()).toBeVisible();
  await look(page, "admin-student-open", everyWidth);
  await expect(page.locator("body")).not.toContainText("words-of-her-journal");

  const mails = page.getByRole("table", { name: "Emails sent" });
  await expect(mails.getByRole("rowheader").first()).toHaveText("You finished “Module 44”");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(mails.getByRole("rowheader").first()).toHaveText("You finished “Module 24”");
  await expect(mails.getByRole("rowheader")).toHaveCount(20);

  await page.getByRole("link", { name: "Open the enrollment" }).first().click();
  await expect(page).toHaveURL(/\/admin\/enrollments\/[\w-]{36}$/);
});

test("one who is about to leave", async ({ site, device }) => {
  const { services } = site;
  const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const student = await createStudent(services, { days: 9 });
  await scheduleDeletion(services, student.id);
  const page = await device({ as: admin });
  await page.goto(`/admin/students/${student.id}`);
  await expect(page.getByText("has asked for this account to be deleted")).toBeVisible();
  await look(page, "admin-student-leaving", everyWidth);
});

test("without scripts the list and the student are all there", async ({ site, device }) => {
  const { services } = site;
  const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const student = await createStudent(services, { days: 9 });
  const page = await device({ as: admin, javaScriptEnabled: false, viewport: phone });
  await page.goto("/admin/students");
  await page.getByRole("searchbox").fill(student.email);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: student.name }).click();
  await expect(page.getByRole("heading", { level: 1, name: student.name })).toBeVisible();
  await expect(page.getByText(/^Open$/).first()).toBeVisible();
});
