import { newId } from "~/platform/db/ids.ts";
import { adminAt, type Expected, type Given, ok, type Row, seeOther } from "../row.ts";

const saved = { title: "A course", slug: "", description: "", price: "197" };

const courses = adminAt("/admin");
const list = adminAt("/admin/courses");
const progress = adminAt("/admin/courses/:id/progress");
const newCourse = adminAt("/admin/courses/new");
const deleted = adminAt("/admin/courses/deleted");
const course = adminAt("/admin/courses/:id");

/** A press about a course of the world that nothing else looks at. */
const press = (at: typeof course, intent: string, administrator: Expected | number) =>
  at.post(intent, administrator, ({ world: { inactive } }) => ({
    id: inactive.id,
    form: { intent, id: inactive.id },
  }));

/** A step of a course's lesson, sent to the page of the inactive course. */
const stepping =
  (direction: "up" | "down", course: "active" | "inactive") =>
  ({ world }: Given) => ({
    id: world.inactive.id,
    form: {
      ...{ intent: "step-lesson", direction },
      lessonId: world[course].modules[0]?.lessons[0]?.id ?? "",
    },
  });

const here = /^\/admin\/courses\/[\w-]{36}$/;

export const adminCourseRows: Row[] = [
  courses.page("the list", ok("A course of the world", "Deactivate")),
  courses.page(
    "the question before deleting",
    ok("Delete course", "journal entr"),
    ({ world }) => `/admin?delete=${world.active.id}`,
  ),
  press(courses, "deactivate", seeOther("/admin", "Course deactivated")),
  courses.post("delete what is not there", seeOther("/admin", "Error"), () => ({
    form: { intent: "delete", id: newId() },
  })),
  press(courses, "nothing", 400),
  courses.post(
    "that the coach has written to who did not ask",
    seeOther("/admin", "Error"),
    () => ({
      form: { intent: "written", id: newId() },
    }),
  ),
  list.page("the list alone", ok("A course of the world", "Deactivate")),
  press(list, "deactivate", seeOther("/admin/courses", "Course deactivated")),
  press(list, "nothing", 400),
  progress.page(
    "how it goes",
    ok("Lesson by lesson", "The open lesson"),
    ({ world }) => `/admin/courses/${world.active.id}/progress`,
  ),
  progress.page("of no course", 404, `/admin/courses/${newId()}/progress`),
  newCourse.page("the form", 200),
  newCourse.post("creating", seeOther(here, "Course created successfully"), () => {
    const id = newId();
    return { form: { ...saved, id, slug: `new-${id}` } };
  }),
  deleted.page("what can be restored", ok("Restore A course of the world")),
  deleted.post(
    "restoring what is not deleted",
    seeOther("/admin/courses/deleted", "Error"),
    ({ world }) => ({ form: { kind: "course", id: world.active.id } }),
  ),
  course.page(
    "a course",
    ok("The open lesson", "The locked lesson"),
    ({ world }) => `/admin/courses/${world.active.id}`,
  ),
  ...["none", newId()].map((id): Row => course.page("no such course", 404, `/admin/courses/${id}`)),
  course.page("a deleted course", 404, ({ world }) => `/admin/courses/${world.deleted.id}`),
  course.post("saving", seeOther(here, "Course updated successfully"), ({ world }) => {
    const { id, slug } = world.inactive;
    const form = { ...saved, slug, intent: "save", revision: "1", title: "A course of the world" };
    return { id, form };
  }),
  press(course, "deactivate", seeOther(here, "Course deactivated")),
  press(course, "duplicate", seeOther(here, "Course duplicated")),
  course.post(
    "moving a lesson",
    seeOther(here, "“The open lesson” is 1 of 2 in “Module 1”."),
    stepping("up", "inactive"),
  ),
  course.post(
    "moving another course's lesson",
    seeOther(here, "Error"),
    stepping("down", "active"),
  ),
  course.post("deleting what is deleted", seeOther(here, "Error"), ({ world }) => ({
    id: world.deleted.id,
    form: { intent: "delete" },
  })),
  adminAt("/admin/slug").page("a proposal", ok('"proposal":"a"'), "/admin/slug?title=A"),
];
