import { newId } from "~/platform/db/ids.ts";
import { adminOnly, at, type Given, type Row } from "../row.ts";

const list = "/admin";
const saved = { title: "A course", slug: "", description: "", price: "197" };

/** A press on the page of a course of the world; on one that nothing else looks at. */
const pressing = (pattern: string, intent: string, more: Record<string, string> = {}) => ({
  pattern,
  what: intent,
  method: "POST" as const,
  ask: ({ world }: Given) => {
    const { id } = world.inactive;
    const path = pattern === list ? list : `/admin/courses/${id}`;
    return { path, form: { intent, id, ...more } };
  },
});

const here = /^\/admin\/courses\/[\w-]{36}$/;

export const adminCourseRows: Row[] = [
  {
    pattern: list,
    what: "the list",
    page: true,
    ask: at(list),
    expect: adminOnly({ status: 200, has: ["A course of the world", "Deactivate"] }),
  },
  {
    pattern: list,
    what: "the question before deleting",
    page: true,
    ask: ({ world }) => ({ path: `${list}?delete=${world.active.id}` }),
    expect: adminOnly({ status: 200, has: ["Delete course", "journal entr"] }),
  },
  {
    ...pressing(list, "deactivate"),
    expect: adminOnly({ status: 303, location: list, toast: "Course deactivated" }),
  },
  {
    pattern: list,
    what: "delete what is not there",
    method: "POST",
    ask: () => ({ path: list, form: { intent: "delete", id: newId() } }),
    expect: adminOnly({ status: 303, location: list, toast: "Error" }),
  },
  { ...pressing(list, "nothing"), expect: adminOnly({ status: 400 }) },
  {
    pattern: "/admin/courses/new",
    what: "the form",
    page: true,
    ask: at("/admin/courses/new"),
    expect: adminOnly({ status: 200 }),
  },
  {
    pattern: "/admin/courses/new",
    what: "creating",
    method: "POST",
    ask: () => {
      const id = newId();
      return { path: "/admin/courses/new", form: { ...saved, id, slug: `new-${id}` } };
    },
    expect: adminOnly({ status: 303, location: here, toast: "Course created successfully" }),
  },
  {
    pattern: "/admin/courses/deleted",
    what: "what can be restored",
    page: true,
    ask: at("/admin/courses/deleted"),
    expect: adminOnly({ status: 200, has: ["Restore A course of the world"] }),
  },
  {
    pattern: "/admin/courses/deleted",
    what: "restoring what is not deleted",
    method: "POST",
    ask: ({ world }) => ({
      path: "/admin/courses/deleted",
      form: { kind: "course", id: world.active.id },
    }),
    expect: adminOnly({ status: 303, location: "/admin/courses/deleted", toast: "Error" }),
  },
  {
    pattern: "/admin/courses/:id",
    what: "a course",
    page: true,
    ask: ({ world }) => ({ path: `/admin/courses/${world.active.id}` }),
    expect: adminOnly({ status: 200, has: ["The open lesson", "The locked lesson"] }),
  },
  ...["none", newId()].map(
    (id): Row => ({
      pattern: "/admin/courses/:id",
      what: "no such course",
      page: true,
      ask: at(`/admin/courses/${id}`),
      expect: adminOnly({ status: 404 }),
    }),
  ),
  {
    pattern: "/admin/courses/:id",
    what: "a deleted course",
    page: true,
    ask: ({ world }) => ({ path: `/admin/courses/${world.deleted.id}` }),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/courses/:id",
    what: "saving",
    method: "POST",
    ask: ({ world }) => {
      const { id, slug } = world.inactive;
      const form = {
        ...saved,
        slug,
        intent: "save",
        revision: "1",
        title: "A course of the world",
      };
      return { path: `/admin/courses/${id}`, form };
    },
    expect: adminOnly({ status: 303, location: here, toast: "Course updated successfully" }),
  },
  {
    ...pressing("/admin/courses/:id", "deactivate"),
    expect: adminOnly({ status: 303, location: here, toast: "Course deactivated" }),
  },
  {
    ...pressing("/admin/courses/:id", "duplicate"),
    expect: adminOnly({ status: 303, location: here, toast: "Course duplicated" }),
  },
  {
    pattern: "/admin/courses/:id",
    what: "moving a lesson",
    method: "POST",
    ask: ({ world }) => ({
      path: `/admin/courses/${world.inactive.id}`,
      form: {
        intent: "step-lesson",
        direction: "up",
        lessonId: world.inactive.modules[0]?.lessons[0]?.id ?? "",
      },
    }),
    expect: adminOnly({
      status: 303,
      location: here,
      toast: "“The open lesson” is 1 of 2 in “Module 1”.",
    }),
  },
  {
    pattern: "/admin/courses/:id",
    what: "moving another course's lesson",
    method: "POST",
    ask: ({ world }) => ({
      path: `/admin/courses/${world.inactive.id}`,
      form: {
        intent: "step-lesson",
        direction: "down",
        lessonId: world.active.modules[0]?.lessons[0]?.id ?? "",
      },
    }),
    expect: adminOnly({ status: 303, location: here, toast: "Error" }),
  },
  {
    pattern: "/admin/courses/:id",
    what: "deleting what is deleted",
    method: "POST",
    ask: ({ world }) => ({
      path: `/admin/courses/${world.deleted.id}`,
      form: { intent: "delete" },
    }),
    expect: adminOnly({ status: 303, location: here, toast: "Error" }),
  },
  {
    pattern: "/admin/slug",
    what: "a proposal",
    page: true,
    ask: at("/admin/slug?title=A"),
    expect: adminOnly({ status: 200, has: ['"proposal":"a"'] }),
  },
];
