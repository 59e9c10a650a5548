import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { newAddress } from "../../support/accounts.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const coach = adminOfFile(site);

/** Does something while the database has no such table. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  const rename = (from: string, to: string) =>
    site.services.db.write.schema.alterTable(from).renameTo(to).execute();
  await rename(table, "away");
  try {
    return await work();
  } finally {
    await rename("away", table);
  }
}

describe("a list whose table cannot be read", () => {
  test.each([
    ["/admin", "products", "Failed to load courses"],
    ["/admin", "modules", "Failed to load courses"],
    ["/admin/modules?q=a", "modules", "Failed to load modules"],
    ["/admin/lessons?sort=title", "lessons", "Failed to load lessons"],
    ["/admin/courses/deleted", "modules", "Failed to load what was deleted"],
    ["/admin/enrollments", "enrollments", "Failed to load enrollments"],
    ["/admin/enrollments/invite", "invitations", "Failed to load invitations"],
    ["/admin/students", "products", "Failed to load students"],
  ])("GET %s without %s: %s, and a link to try again", async (path, table, message) => {
    const read = async () => {
      const page = await site.ask(path, { as: coach });
      expect(page.status).toBe(200);
      return page.text();
    };
    const failed = await without(table, read);
    expect(failed).toContain(message);
    expect(failed).toContain(`<a href="${path}">Try again</a>`);
    expect(await read()).not.toContain(message);
  });
});

/** What a form that failed is answered with: a page with these words, instead of a toast. */
type Form = { status: 400 | 500; shows: string[] };
type Fields = Record<string, string>;
const fault = (message: string, done: string, path: string, form: Fields, failed?: Form) =>
  [message, done, path, form, failed] as const;

const prose = "Words that took an evening.";
const save = { intent: "save", revision: "1" };
const water = { title: "Water", slug: newId(), description: prose, price: "197.5" };
const air = { ...water, title: "Air", slug: ":slug", ...save };
const keys = {
  ...{ title: "Keys", moduleId: ":module", slug: "keys", orderNum: "1", dripDay: "0" },
  ...{ content: prose, prompts: "" },
};
const locks = { ...keys, title: "Locks", slug: "locks", revision: "1" };
const lastDays = { title: "The last days", orderNum: "7", orderBefore: "1" };
const newLessonId = newId();
const email = newAddress();
const one = "/admin/courses/:course";
const module = "/admin/modules/:module";
const deleted = "/admin/courses/deleted";
const gone = (what: string) => ({ intent: "delete", id: `:${what}` });
const step = { intent: "step-module", moduleId: ":module", direction: "down" };

/** Writing fails where the audit entry cannot be written: nothing else of the site needs it. */
describe("a form whose change cannot be written", () => {
  const ids: Record<string, string | undefined> = {};
  beforeAll(async () => {
    const { id, slug, modules } = await createCourse(site.services, [[{ slug: "air" }], []]);
    const [first] = modules;
    Object.assign(ids, { course: id, slug, module: first?.id, lesson: first?.lessons[0]?.id });
    ids.student = (await createPerson(site.services)).email;
  });
  const filled = (text: string) => text.replaceAll(/:(\w+)/g, (name, of) => ids[of] ?? name);

  // In the order of a life: each change is made once the fault is over.
  test.each([
    fault(
      "Failed to create course",
      "Course created successfully",
      "/admin/courses/new",
      { id: newId(), ...water },
      { status: 500, shows: ['value="Water"', prose, 'value="197.5"'] },
    ),
    fault("Failed to update course", "Course updated successfully", one, air, {
      status: 500,
      shows: ['value="Air"', prose, 'value="197.5"', 'name="revision" value="1"'],
    }),
    fault("Failed to update course", "Course deactivated", "/admin", {
      intent: "deactivate",
      id: ":course",
    }),
    fault("Failed to update course", "Course activated", one, { intent: "activate" }),
    fault("Failed to duplicate course", "Course duplicated", one, {
      intent: "duplicate",
      copyId: newId(),
    }),
    fault("The order could not be saved", "“Module 1” is 2 of 2 modules.", one, step),
    fault(
      "Failed to create module",
      "Module created successfully",
      "/admin/modules/new",
      { id: newId(), productId: ":course", title: "The first days", orderNum: "4" },
      { status: 500, shows: ['value="The first days"', 'value=":course" selected', 'value="4"'] },
    ),
    fault(
      "Failed to update module",
      "Module updated successfully",
      module,
      { ...save, productId: ":course", ...lastDays },
      { status: 500, shows: ['value="The last days"', 'value="7"'] },
    ),
    fault(
      "Failed to create lesson",
      "Lesson created successfully",
      `/admin/lessons/new?id=${newLessonId}`,
      { lessonId: newLessonId, ...keys },
      { status: 500, shows: ['value="Keys"', prose] },
    ),
    fault(
      "Failed to update lesson",
      "Lesson updated successfully",
      "/admin/lessons/:lesson",
      locks,
      { status: 500, shows: ['value="Locks"', prose] },
    ),
    fault(
      "Failed to create enrollment",
      "Enrollment created successfully",
      "/admin/enrollments/new",
      { productId: ":course", who: ":student" },
      { status: 400, shows: ['value=":student"', 'value=":course" selected'] },
    ),
    fault(
      "Failed to remove enrollment",
      "Enrollment removed successfully",
      "/admin/enrollments/:enrollment",
      { intent: "remove" },
      { status: 400, shows: ["Remove this enrollment"] },
    ),
    fault(
      "The invitation could not be sent. Please try again.",
      "Invitation written to a file",
      "/admin/enrollments/invite",
      { intent: "invite", productId: ":course", email, name: "Ruth" },
      { status: 400, shows: [`value="${email}"`, 'value="Ruth"', 'value=":course" selected'] },
    ),
    fault(
      "Failed to delete lesson",
      "Lesson deleted successfully",
      "/admin/lessons",
      gone("lesson"),
    ),
    fault("Failed to restore it", "Lesson restored", deleted, { kind: "lesson", id: ":lesson" }),
    fault(
      "Failed to delete module",
      "Module deleted successfully",
      "/admin/modules",
      gone("module"),
    ),
    fault("Failed to restore it", "Module restored", deleted, { kind: "module", id: ":module" }),
    fault("Failed to delete module", "Module deleted successfully", module, { intent: "delete" }),
    fault("Failed to delete course", "Course deleted successfully", one, { intent: "delete" }),
    fault("Failed to restore it", "Course restored", deleted, { kind: "course", id: ":course" }),
    fault("Failed to delete course", "Course deleted successfully", "/admin", gone("course")),
  ])(
    "%s: what was typed stays, and the next press works",
    async (message, done, path, form, failure) => {
      const enrollments = site.services.db.read.selectFrom("enrollments").select("id");
      ids.enrollment = (await enrollments.executeTakeFirst())?.id;
      const fields = Object.entries(form).map(([name, value]): [string, string] => [
        name,
        filled(value),
      ]);
      const isMultipart = path.startsWith("/admin/lessons/");
      const sent = isMultipart ? { multipart: fields } : { form: fields };
      const send = () => site.ask(filled(path), { as: coach, ...sent });
      const failed = await without("auditEntries", send);
      if (failure) {
        expect(failed.status).toBe(failure.status);
        const page = readable(await failed.text());
        for (const words of [message, ...failure.shows]) expect(page).toContain(filled(words));
      } else {
        expect(failed.status).toBe(303);
        const description = expect.stringContaining(message);
        expect(toastOf(failed)).toMatchObject({ title: "Error", tone: "destructive", description });
      }
      expect(toastOf(await send())?.title).toBe(done);
    },
  );
});
