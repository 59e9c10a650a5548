import { newId } from "~/platform/db/ids.ts";
import { marks } from "../../../support/world.ts";
import { adminOnly, at, type Given, type Row } from "../row.ts";

const openLesson = ({ world }: Given) => world.active.modules[0]?.lessons[0];
const idOf = (given: Given) => openLesson(given)?.id ?? "";
const deletedId = ({ world }: Given) => world.deleted.modules[0]?.lessons[0]?.id ?? "";

/** A whole form: whoever may send it makes a lesson. */
const form = (given: Given, lessonId: string): [string, string][] => [
  ["lessonId", lessonId],
  ["title", "A lesson from the table"],
  ["moduleId", openLesson(given)?.moduleId ?? ""],
  ["slug", `lesson-${lessonId}`],
  ["orderNum", "3"],
  ["dripDay", "0"],
  ["content", "Words."],
  ["prompts", ""],
];
const draft = { baseRevision: 0, revision: 1, fields: {} };
const savedAs = (toast: string, location: RegExp) => adminOnly({ status: 303, toast, location });
const notHere = adminOnly({ status: 404 });

export const adminLessonRows: Row[] = [
  {
    pattern: "/admin/lessons",
    what: "the list",
    page: true,
    ask: at("/admin/lessons"),
    expect: adminOnly({ status: 200, has: ["The open lesson"] }),
  },
  {
    pattern: "/admin/lessons",
    what: "deleting what went with its course",
    method: "POST",
    ask: (given) => ({ path: "/admin/lessons", form: { id: deletedId(given) } }),
    expect: adminOnly({ status: 303, location: "/admin/lessons", toast: "Error" }),
  },
  {
    pattern: "/admin/lessons/new",
    what: "a name for it",
    page: true,
    ask: at("/admin/lessons/new"),
    expect: adminOnly({ status: 302, location: /^\/admin\/lessons\/new\?id=[\w-]{36}$/ }),
  },
  {
    pattern: "/admin/lessons/new",
    what: "the form",
    page: true,
    ask: () => ({ path: `/admin/lessons/new?id=${newId()}` }),
    expect: adminOnly({ status: 200, has: ["Create lesson"] }),
  },
  {
    pattern: "/admin/lessons/new",
    what: "creating",
    method: "POST",
    ask: (given) => ({ path: "/admin/lessons/new", multipart: form(given, newId()) }),
    expect: savedAs("Lesson created successfully", /^\/admin\/lessons\/[\w-]{36}$/),
  },
  {
    pattern: "/admin/lessons/:id",
    what: "a lesson",
    page: true,
    ask: (given) => ({ path: `/admin/lessons/${idOf(given)}` }),
    expect: adminOnly({ status: 200, has: [marks.openText] }),
  },
  {
    pattern: "/admin/lessons/:id",
    what: "a deleted lesson",
    page: true,
    ask: (given) => ({ path: `/admin/lessons/${deletedId(given)}` }),
    expect: notHere,
  },
  {
    pattern: "/admin/lessons/:id",
    what: "no such lesson",
    page: true,
    ask: at("/admin/lessons/none"),
    expect: notHere,
  },
  {
    pattern: "/admin/lessons/:id",
    what: "saving what is gone",
    method: "POST",
    ask: (given) => {
      const id = newId();
      return { path: `/admin/lessons/${id}`, multipart: [...form(given, id), ["revision", "3"]] };
    },
    expect: notHere,
  },
  {
    pattern: "/admin/lessons/preview",
    what: "reading",
    ask: at("/admin/lessons/preview"),
    expect: adminOnly({ status: 405 }),
  },
  {
    pattern: "/admin/lessons/preview",
    what: "a preview",
    method: "POST",
    ask: () => ({ path: "/admin/lessons/preview", json: { content: "*a*", prompts: "" } }),
    expect: adminOnly({ status: 200, has: ["<em>a</em>"] }),
  },
  {
    pattern: "/admin/lessons/:id/draft",
    what: "reading",
    ask: at("/admin/lessons/none/draft"),
    expect: adminOnly({ status: 405 }),
  },
  {
    pattern: "/admin/lessons/:id/draft",
    what: "keeping one for somebody else",
    method: "PUT",
    ask: () => ({
      path: `/admin/lessons/${newId()}/draft`,
      json: { ...draft, userId: newId(), draftId: newId() },
    }),
    expect: adminOnly({ status: 401 }),
  },
  {
    pattern: "/admin/lessons/:id/draft",
    what: "giving one up",
    method: "POST",
    ask: () => ({ path: `/admin/lessons/${newId()}/draft`, form: { draft: `${newId()}:1` } }),
    expect: adminOnly({ status: 303, location: "/admin/lessons" }),
  },
  {
    pattern: "/admin/lessons/:id/draft",
    what: "in a lesson that cannot be",
    method: "POST",
    ask: () => ({ path: "/admin/lessons/none/draft", form: {} }),
    expect: notHere,
  },
];
