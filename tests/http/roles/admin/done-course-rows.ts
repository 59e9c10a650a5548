import { setActive } from "~/features/courses/courses.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { adminAt, type Expected, type Given, ok, type Row, seeOther } from "../row.ts";
import { aCourse, anInactiveCourse, deleted } from "./thrown-away.ts";

type Course = Awaited<ReturnType<typeof aCourse>>;

const courseHere = /^\/admin\/courses\/[\w-]{36}$/;
const moduleHere = /^\/admin\/modules\/[\w-]{36}$/;
const courses = adminAt("/admin");
const course = adminAt("/admin/courses/:id");
const module = adminAt("/admin/modules/:id");

/** A press on a course that this row alone has. */
const press = (
  at: typeof course,
  intent: string,
  administrator: Expected,
  make: (given: Given) => Promise<Course> = aCourse,
): Row =>
  at.post(`${intent}, done`, administrator, async (given) => {
    const { id } = await make(given);
    return { id, form: { intent, id, copyId: newId() } };
  });

/** A change of the order; each of them is one that changes something. */
const arranging = (
  what: string,
  fields: (course: Course) => Record<string, string>,
  toast: string,
): Row =>
  course.post(what, seeOther(courseHere, toast), async (given) => {
    const made = await aCourse(given);
    return { id: made.id, form: fields(made) };
  });

const pressed: Row[] = [
  press(courses, "activate", seeOther("/admin", "Course activated"), anInactiveCourse),
  press(courses, "deactivate", seeOther("/admin", "Course deactivated")),
  press(courses, "delete", seeOther("/admin", "Course deleted successfully")),
  press(course, "activate", seeOther(courseHere, "Course activated"), anInactiveCourse),
  press(course, "deactivate", seeOther(courseHere, "Course deactivated")),
  press(course, "duplicate", seeOther(courseHere, "Course duplicated")),
  press(course, "delete", seeOther("/admin", "Course deleted successfully")),
];

const history = adminAt("/admin/courses/:id/history");

/** A course that was deactivated: its versions are how it was before and how it is now. */
async function changed(given: Given) {
  const { id } = await aCourse(given);
  await setActive(given.services, { id, active: false });
  return { id };
}

const remembered: Row[] = [
  history.page("the versions", ok("Version 2", "Not recorded"), changed),
  history.page("one compared", ok("This activates the course"), async (given) => {
    return `/admin/courses/${(await changed(given)).id}/history?version=1`;
  }),
  history.page("no such course", 404, { id: "none" }),
  history.post(
    "bringing one back",
    seeOther(/\/history$/, "Version 1 is back, as the newest version"),
    async (given) => ({
      ...(await changed(given)),
      form: { number: "1", revision: "1", active: "no" },
    }),
  ),
  history.post(
    "one that is not there",
    seeOther(/\/history\?version=\d$/, "Error"),
    async (given) => ({
      ...(await changed(given)),
      form: { number: "9", revision: "1", active: "no" },
    }),
  ),
];

const arranged: Row[] = [
  arranging(
    "a lesson one step",
    ({ lesson }) => ({ intent: "step-lesson", lessonId: lesson.id, direction: "down" }),
    "“First” is 2 of 2 in “Module 1”.",
  ),
  arranging(
    "a lesson to another module",
    ({ lesson, otherModule }) => ({
      intent: "move-lesson",
      lessonId: lesson.id,
      moduleId: otherModule.id,
    }),
    "“First” is 3 of 3 in “Module 2”.",
  ),
  arranging(
    "a module one step",
    ({ module }) => ({ intent: "step-module", moduleId: module.id, direction: "down" }),
    "“Module 1” is 2 of 2 modules.",
  ),
  arranging(
    "a module before another",
    ({ module, otherModule }) => ({
      intent: "move-module",
      moduleId: otherModule.id,
      beforeId: module.id,
    }),
    "“Module 2” is 1 of 2 modules.",
  ),
];

const restored = (["course", "module", "lesson"] as const).map(
  (kind): Row =>
    adminAt("/admin/courses/deleted").post(
      `a ${kind}, restored`,
      seeOther(
        "/admin/courses/deleted",
        `${kind.charAt(0).toUpperCase()}${kind.slice(1)} restored`,
      ),
      async (given) => ({ form: await deleted(given, kind) }),
    ),
);

const ofModules: Row[] = [
  adminAt("/admin/modules").post(
    "deleting, done",
    seeOther("/admin/modules", "Module deleted successfully"),
    async (given) => {
      const { module } = await aCourse(given);
      return { form: { intent: "delete", id: module.id } };
    },
  ),
  module.post(
    "deleting, done",
    seeOther(/^\/admin\/courses\/[\w-]{36}$/, "Module deleted successfully"),
    async (given) => {
      const { module } = await aCourse(given);
      return { id: module.id, form: { intent: "delete" } };
    },
  ),
  module.post(
    "another title",
    seeOther(moduleHere, "Module updated successfully"),
    async (given) => {
      const { id, module } = await aCourse(given);
      const order = { orderNum: "1", orderBefore: "1" };
      return {
        id: module.id,
        form: { intent: "save", revision: "1", productId: id, title: "Week one", ...order },
      };
    },
  ),
];

/** What an administrator does on the pages of courses and modules, and no one else. */
export const doneCourseRows: Row[] = [
  ...pressed,
  ...remembered,
  ...arranged,
  ...restored,
  ...ofModules,
];
