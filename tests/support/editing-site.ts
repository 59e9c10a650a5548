import { afterAll, beforeAll, beforeEach } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "./courses.ts";
import { lessonOf } from "./journal.ts";
import { createByForm, type LessonFields, lessonRow, updateByForm } from "./lessons.ts";
import { createPerson, type Person } from "./people.ts";
import { startSite, type TestSite } from "./site.ts";

type Draft = {
  id?: string;
  lesson?: string;
  revision?: number;
  baseRevision?: number;
  content?: string;
  fields?: Record<string, string | undefined>;
  as?: Person;
};

/** A site for the tests of a file, each with a new admin who writes the lessons of a new course. */
export function editingSite(modules: Parameters<typeof createCourse>[1]) {
  const now = {} as { site: TestSite; admin: Person; course: TestCourse };
  const lesson = (module = 0, place = 0) => lessonOf(now.course, module, place);
  const moduleId = (index = 0) => now.course.modules[index]?.id ?? "";
  beforeAll(async () => {
    now.site = await startSite();
  });
  afterAll(() => now.site.close());
  beforeEach(async () => {
    now.admin = await createPerson(now.site.services, { role: "admin" });
    now.course = await createCourse(now.site.services, modules);
  });
  return Object.assign(now, {
    lesson,
    moduleId,
    row: (id = lesson().id) => lessonRow(now.site.services, id),
    /** Sends the form of a new lesson. */
    create: (fields: LessonFields & { id?: string } = {}, module = moduleId()) =>
      createByForm(now.site, now.admin, module, fields),
    /** Sends the form of a stored lesson: what it holds, but for these fields. */
    update: (fields: LessonFields, id = lesson().id) =>
      updateByForm(now.site, now.admin, id, fields),
    async page(path: string, as = now.admin) {
      return (await now.site.ask(path, { as })).text();
    },
    /** Deletes a lesson from the list. */
    remove: (id = lesson().id) => now.site.ask("/admin/lessons", { as: now.admin, form: { id } }),
    /** Changes a lesson behind the form. */
    set: (values: { orderNum?: number }, id = lesson().id) =>
      now.site.services.db.write.updateTable("lessons").set(values).where("id", "=", id).execute(),
    /** Autosaves a draft, as the page does while the author types. */
    draft({ id = newId(), lesson: lessonId = lesson().id, as = now.admin, ...draft }: Draft = {}) {
      const { revision = 1, baseRevision = 1, content = "Drafted." } = draft;
      const drafted = { title: "Drafted title", moduleId: moduleId(), slug: "drafted", content };
      const fields = draft.fields ?? drafted;
      const json = { userId: as.id, draftId: id, baseRevision, revision, fields };
      return now.site.ask(`/admin/lessons/${lessonId}/draft`, { as, method: "PUT", json });
    },
  });
}
