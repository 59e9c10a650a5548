import { readFileSync } from "node:fs";
import { newId } from "~/platform/db/ids.ts";
import { recordSent } from "~/platform/email/sent.ts";
import type { Services } from "~/platform/http/services.ts";
import { newAddress } from "../support/accounts.ts";
import { write } from "./support/journal.ts";
import { createCoach } from "./support/lessons.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

async function addPeople({ db, clock }: Services, people: { name: string; email: string }[]) {
  const now = clock.now();
  const rows = people.map((person, at) => ({
    ...person,
    ...{ id: newId(), emailVerified: at > 0, role: "student" as const },
    ...{ createdAt: now, updatedAt: now },
  }));
  await db.write.insertInto("profiles").values(rows).execute();
}

const paymentOf = ({ id }: { id: string }) => `pi_${id.slice(-12)}`;

/** A student of both courses with everything that their page can show. */
async function busyStudent(services: Services) {
  const { db, clock } = services;
  const courses = ["seven-days-of-calm", "blue-dot-method"];
  const student = await createStudent(services, { courses, days: 9 });
  const { id: userId } = student;
  await write(services, userId, Array(4).fill(["words-of-the-journal"]));
  const enrollments = await db.read
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.id", "productId"])
    .where("userId", "=", userId)
    .orderBy("products.slug")
    .execute();
  const [blue, calm] = enrollments;
  await db.write
    .updateTable("enrollments")
    .set({ stripePaymentId: paymentOf(student) })
    .where("id", "=", blue?.id ?? "")
    .execute();
  const at = new Date(clock.now().getTime() - 400 * 24 * 3600_000);
  const former = { id: newId(), userId, productId: calm?.productId ?? "", createdAt: at };
  await db.write
    .insertInto("formerEnrollments")
    .values({ ...former, removedAt: clock.now(), removedBy: userId })
    .execute();
  for (let n = 0; n < 45; n += 1)
    await recordSent(db.write, { kind: "learning.module-completed", userId: null }, [
      {
        id: newId(),
        address: student.email,
        subject: `You finished “Module ${n}”`,
        // Later than the emails about the two courses, which the site sends at any moment.
        at: new Date(clock.now().getTime() + (n + 1) * 60_000),
      },
    ]);
  return student;
}

test("the coach finds a student, opens the courses and emails, and exports the list", async ({
  site: { services },
  device,
}) => {
  const word = `z${newId().slice(-6)}`;
  const two = (n: number) => String(n).padStart(2, "0");
  await addPeople(services, [
    { name: `Renée ${word}`, email: newAddress() },
    { name: `${"Maximiliana ".repeat(6)}${word}`, email: `${"m.".repeat(100)}${newAddress()}` },
    ...Array.from({ length: 58 }, (_, n) => ({
      name: `Person ${two(n)} ${word}`,
      email: newAddress(),
    })),
  ]);
  const page = await device({ as: await createCoach(services) });
  const names = page.getByRole("rowheader");
  const search = page.getByRole("searchbox", { name: "Search by name or email" });
  const count = page.locator("main").getByRole("status");

  await test.step("by the beginning of a name, in pages, in any order", async () => {
    await openHydrated(page, "/admin/enrollments");
    await page.getByRole("link", { name: "All students" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Students" })).toBeVisible();
    await search.fill(word);
    await expect(count).toHaveText("60 students, page 1 of 2");
    await expect(names.first()).toContainText(word);
    await expect(search).toBeFocused();
    await expect(page.getByRole("button", { name: "Search" })).toBeHidden();
    await page.getByRole("link", { name: "Name" }).click();
    await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute(
      "aria-sort",
      "ascending",
    );
    await expect(names.first()).toContainText("Maximiliana");
    await expect(names).toHaveCount(50);
    await look(page, "admin-students-list", { night: true });
    await page.getByRole("link", { name: "Next" }).click();
    await expect(names).toHaveCount(10);
    await expect(count).toHaveText("60 students, page 2 of 2");
    await expect(names.last()).toContainText("Renée");
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(names).toHaveCount(50);
  });

  await test.step("the list is downloaded as it is searched, and the page stays", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^students-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await download.path(), "utf8").split("\r\n");
    expect(lines[0]).toMatch(/^\ufeffname,email,confirmed/);
    expect(lines.filter((line) => line.includes(word))).toHaveLength(60);
    await expect(names).toHaveCount(50);
  });

  await test.step("nobody found leads back to all; an accent is found without it", async () => {
    await search.fill(`"nobody* -at: ${word}`);
    await expect(page.getByRole("heading", { name: "No student found" })).toBeVisible();
    await look(page, "admin-students-nobody");
    await page.getByRole("link", { name: "Show all students" }).click();
    await expect(names).toHaveCount(50);
    await search.fill(`renee ${word}`);
    await search.press("Enter");
    await expect(names).toHaveCount(1);
    await expect(page.getByText("Not confirmed")).toBeVisible();
    await page.getByRole("link", { name: /^Renée/ }).click();
    await expect(page.getByText("Not enrolled in any course.")).toBeVisible();
    await expect(page.getByText("No email has been sent to this address yet.")).toBeVisible();
    await look(page, "admin-student-new");
  });

  const student = await busyStudent(services);
  await test.step("a student: courses lesson by lesson, former enrollments, emails, no journal", async () => {
    await openHydrated(page, `/admin/students/${student.id}`);
    await expect(page.getByRole("heading", { level: 2 })).toHaveText([
      "Courses",
      "Former enrollments",
      "Emails",
      "Account",
    ]);
    const course = page.locator("details").filter({ hasText: `Payment: ${paymentOf(student)}` });
    await course.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect(course.getByText(/^Completed /)).toHaveCount(4);
    await expect(course.getByText(/^Opens /).first()).toBeVisible();
    await look(page, "admin-student", { night: true });
    await expect(page.locator("body")).not.toContainText("words-of-the-journal");
    const emails = page.getByRole("table", { name: "Emails" }).getByRole("rowheader");
    await expect(emails.first()).toHaveText("You finished “Module 44”");
    await page.getByRole("link", { name: "Next" }).click();
    await expect(emails.first()).toHaveText("You finished “Module 24”");
  });

  await test.step("the list of enrollments is searched and filtered by course", async () => {
    await page.getByRole("link", { name: "Open the enrollment" }).first().click();
    await expect(page).toHaveURL(/\/admin\/enrollments\/[\w-]{36}$/);
    await openHydrated(page, "/admin/enrollments");
    const found = page.getByRole("link", { name: /^Open the enrollment/ });
    await search.fill(student.email);
    await search.press("Enter");
    await expect(found).toHaveCount(2);
    await page.getByRole("combobox", { name: "Course" }).selectOption("The Blue Dot Method");
    await search.press("Enter");
    await expect(found).toHaveCount(1);
    await expect(page.getByText(`Payment: ${paymentOf(student)}`)).toBeVisible();
    await search.fill("nobody of that name");
    await search.press("Enter");
    await expect(page.getByRole("heading", { name: "No enrollment found" })).toBeVisible();
    await page.getByRole("link", { name: "Show all enrollments" }).click();
    await expect(found.first()).toBeVisible();
    await look(page, "enrollments");
  });
});
