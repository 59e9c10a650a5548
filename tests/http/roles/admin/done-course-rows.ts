import { newId } from "~/platform/db/ids.ts";
import { adminOnly, type Given, type Row } from "../row.ts";
import { aCourse, anInactiveCourse, deleted } from "./thrown-away.ts";

type Course = Awaited<ReturnType<typeof aCourse>>;

const courseHere = /^\/admin\/courses\/[\w-]{36}$/;
const moduleHere = /^\/admin\/modules\/[\w-]{36}$/;
const done = (toast: string, location: string | RegExp) =>
  adminOnly({ status: 303, toast, location });

/** A press on a course that this row alone has. */
const press = (
  pattern: "/admin" | "/admin/courses/:id",
  intent: string,
  expect: Row["expect"],
  make: (given: Given) => Promise<Course> = aCourse,
): Row => ({
  pattern,
  what: `${intent}, done`,
  method: "POST",
  ask: async (given) => {
    const { id } = await make(given);
    const path = pattern === "/admin" ? pattern : `/admin/courses/${id}`;
    return { path, form: { intent, id, copyId: newId() } };
  },
  expect,
});

/** A change of the order; each of them is one that changes something. */
const arranging = (
  what: string,
  fields: (course: Course) => Record<string, string>,
  toast: string,
): Row => ({
  pattern: "/admin/courses/:id",
  what,
  method: "POST",
  ask: async (given) => {
    const course = await aCourse(given);
    return { path: `/admin/courses/${course.id}`, form: fields(course) };
  },
  expect: done(toast, courseHere),
});

const pressed: Row[] = [
  press("/admin", "activate", done("Course activated", "/admin"), anInactiveCourse),
  press("/admin", "deactivate", done("Course deactivated", "/admin")),
  press("/admin", "delete", done("Course deleted successfully", "/admin")),
  press("/admin/courses/:id", "activate", done("Course activated", courseHere), anInactiveCourse),
  press("/admin/courses/:id", "deactivate", done("Course deactivated", courseHere)),
  press("/admin/courses/:id", "duplicate", done("Course duplicated", courseHere)),
  press("/admin/courses/:id", "delete", done("Course deleted successfully", "/admin")),
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
  (kind): Row => ({
    pattern: "/admin/courses/deleted",
    what: `a ${kind}, restored`,
    method: "POST",
    ask: async (given) => ({ path: "/admin/courses/deleted", form: await deleted(given, kind) }),
    expect: done(
      `${kind.charAt(0).toUpperCase()}${kind.slice(1)} restored`,
      "/admin/courses/deleted",
    ),
  }),
);

const ofModules: Row[] = [
  {
    pattern: "/admin/modules",
    what: "deleting, done",
    method: "POST",
    ask: async (given) => {
      const { module } = await aCourse(given);
      return { path: "/admin/modules", form: { intent: "delete", id: module.id } };
    },
    expect: done("Module deleted successfully", "/admin/modules"),
  },
  {
    pattern: "/admin/modules/:id",
    what: "deleting, done",
    method: "POST",
    ask: async (given) => {
      const { module } = await aCourse(given);
      return { path: `/admin/modules/${module.id}`, form: { intent: "delete" } };
    },
    expect: done("Module deleted successfully", "/admin/modules"),
  },
  {
    pattern: "/admin/modules/:id",
    what: "another title",
    method: "POST",
    ask: async (given) => {
      const { id, module } = await aCourse(given);
      const order = { orderNum: "1", orderBefore: "1" };
      return {
        path: `/admin/modules/${module.id}`,
        form: { intent: "save", revision: "1", productId: id, title: "Week one", ...order },
      };
    },
    expect: done("Module updated successfully", moduleHere),
  },
];

/** What an administrator does on the pages of courses and modules, and nobody else. */
export const doneCourseRows: Row[] = [...pressed, ...arranged, ...restored, ...ofModules];
