import { expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createCourse } from "../../support/courses.ts";
import { writeFailed } from "../../support/email-log.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { readable } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const admin = adminOfFile(site);

/** The words of the buttons and links of each dialog in a page, but for its cross. */
async function dialogsOf(path: string): Promise<string[][]> {
  const html = readable(await (await site.ask(path, { as: admin })).text());
  const dialogs = html.match(/<dialog[^>]*class="dialog".*?<\/dialog>/gs) ?? [];
  return dialogs.map((dialog) =>
    [...dialog.matchAll(/<(button|a)\b[^>]*>(.*?)<\/\1>/gs)]
      .map(([, , inside = ""]) => inside.replace(/<[^>]*>/g, ""))
      .filter(Boolean),
  );
}

test("dialogs of the admin: what asks before a deed has Cancel, then the deed", async () => {
  const { services } = site;
  const course = await createCourse(services, [[{ title: "A lesson" }]]);
  const ada = await createPerson(services, { name: "Ada" });
  await enroll(services, { userId: ada.id, productId: course.id });
  const enrollments = services.db.read.selectFrom("enrollments").select("id");
  const { id } = await enrollments.where("userId", "=", ada.id).executeTakeFirstOrThrow();
  const invitation = { intent: "invite", email: "new@here.example", productId: course.id };
  await site.ask("/admin/enrollments/invite", { as: admin, form: invitation });
  await writeFailed(services, { address: "full@here.example" });
  const asking = {
    [`/admin/courses/${course.id}?delete=1`]: 1,
    [`/admin?delete=${course.id}`]: 1,
    [`/admin/students/${ada.id}`]: 1,
    [`/admin/enrollments/${id}`]: 1,
    "/admin/enrollments/invite": 1,
    "/admin/mail?state=failed": 2,
  };
  for (const [path, count] of Object.entries(asking)) {
    const dialogs = await dialogsOf(path);
    expect(dialogs, path).toHaveLength(count);
    for (const words of dialogs) {
      expect(words, path).toHaveLength(2);
      expect(words[0], path).toBe("Cancel");
    }
  }
});
