import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson, type Person } from "../support/people.ts";
import { hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const text = "Come if you like.\n\nIt is at seven. https://calls.example/thursday";
const looking = { widths: [360, 1280], night: true };

test("the coach writes to the students of a course: preview, back, send, list", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^(answer 400|failed): POST \/admin\/course-emails/);
  const coach = await createPerson(services, { role: "admin", name: "Nora" });
  const title = `Water ${newId().slice(-6)}`;
  const subject = `A call on Thursday ${newId().slice(-6)}`;
  const course = await createCourse(services, [[{}]], { title });
  const enroll = async ({ id: userId }: Person) => {
    const values = { id: newId(), userId, productId: course.id, createdAt: services.clock.now() };
    await services.db.write.insertInto("enrollments").values(values).execute();
  };
  const suspended = await createPerson(services);
  for (const person of [await createPerson(services), await createPerson(services), suspended])
    await enroll(person);
  const suspendedAt = services.clock.now();
  const profiles = services.db.write.updateTable("profiles").set({ suspendedAt });
  await profiles.where("id", "=", suspended.id).execute();
  const page = await device({ as: coach });
  const field = (name: string) => page.getByRole("textbox", { name });
  const press = (name: string) => page.getByRole("button", { name }).click();
  const preview = page.getByRole("heading", { name: "This is what will be sent" });

  await test.step("from the course; what is missing is said at its field", async () => {
    await openHydrated(page, `/admin/courses/${course.id}`);
    await page.getByRole("link", { name: "Email the students" }).click();
    await expect(page.getByRole("combobox", { name: "Course" })).toHaveValue(course.id);
    await field("Text").fill(text);
    await press("Preview");
    await expect(page.getByText("Write a subject.", { exact: true }).last()).toBeVisible();
    await expect(field("Subject")).toBeFocused();
    await look(page, "course-email-refused", looking);
  });

  await test.step("the preview has the email and its readers, and leads back with the text", async () => {
    await field("Subject").fill(subject);
    await press("Preview");
    await expect(preview).toBeFocused();
    await expect(page.getByText("Left out: 1 suspended.")).toBeVisible();
    await look(page, "course-email-preview", looking);
    await page.context().setOffline(true);
    for (const name of ["Send to 2 students", "Back to the text"]) {
      await press(name);
      const error = toast(page, "Error").filter({ visible: true });
      await expect(error).toContainText("cannot be reached");
      await expect(preview).toBeVisible();
      await error.getByRole("button").click();
    }
    await page.context().setOffline(false);
    await press("Back to the text");
    await expect(field("Text")).toBeFocused();
    await expect(field("Subject")).toHaveValue(subject);
    await expect(field("Text")).toHaveValue(text);
  });

  await test.step("leaving asks; staying changes nothing", async () => {
    await page.getByRole("link", { name: "Newsletter" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await expect(field("Text")).toHaveValue(text);
  });

  await test.step("it is sent, and listed with what became of it", async () => {
    await press("Preview");
    await press("Send to 2 students");
    await expect(toast(page, "Your email is on its way")).toBeVisible();
    await expect(field("Text")).toHaveValue("");
    await expect(async () => {
      await page.reload();
      const row = page.getByRole("row").filter({ hasText: subject });
      await expect(row).toContainText("2 written to files.", { timeout: 100 });
    }).toPass();
    await hydrated(page);
    await look(page, "course-email-list", looking);
  });

  await test.step("it can be read again, and another written from it", async () => {
    await page.getByRole("link", { name: subject, exact: true }).click();
    await expect(page.getByRole("heading", { name: "What you wrote" })).toBeVisible();
    await expect(page.getByRole("article", { name: "The email" })).toContainText("It is at seven.");
    await look(page, "course-email-read", looking);
    await press("Write another from it");
    await expect(field("Subject")).toHaveValue(subject);
    await expect(field("Text")).toHaveValue(text);
    await field("Subject").fill("");
    await field("Text").fill("");
  });

  await test.step("a stopped one goes on to the rest", async () => {
    const now = services.clock.now();
    const stopped = { id: newId(), productId: course.id, createdAt: now, stoppedAt: now };
    const values = {
      ...stopped,
      subject: `${subject} stopped`,
      body: text,
      recipients: 3,
      sent: 1,
    };
    await services.db.write.insertInto("courseEmails").values(values).execute();
    await openHydrated(page, "/admin/course-emails");
    const row = page.getByRole("row").filter({ hasText: values.subject });
    await expect(row).toContainText("Stopped: 1 written to files.");
    await look(page, "course-email-stopped", looking);
    await row.getByRole("button", { name: "Send to the rest" }).click();
    await expect(toast(page, "Your email is on its way to the rest")).toBeVisible();
  });

  await test.step("the same without scripts, on a phone", async () => {
    const plain = await device({ as: coach, viewport: phone, javaScriptEnabled: false });
    const press = (name: string) => plain.getByRole("button", { name }).click();
    const field = (name: string) => plain.getByRole("textbox", { name });
    await plain.goto(`/admin/course-emails?course=${course.id}`);
    await field("Subject").fill(`${subject} again`);
    await field("Text").fill(text);
    await press("Preview");
    await press("Back to the text");
    await expect(field("Text")).toHaveValue(text);
    await press("Preview");
    await press("Send to 2 students");
    await expect(toast(plain, "Your email is on its way")).toBeVisible();
  });
});
