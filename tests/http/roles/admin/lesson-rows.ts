import { newId } from "~/platform/db/ids.ts";
import { marks } from "../../../support/world.ts";
import { adminAt, found, type Given, ok, type Row, seeOther } from "../row.ts";

const openLesson = ({ world }: Given) => world.active.modules[0]?.lessons[0];
const idOf = (given: Given) => openLesson(given)?.id ?? "";
const deletedId = ({ world }: Given) => world.deleted.modules[0]?.lessons[0]?.id ?? "";

/** A whole form: anyone who may send it makes a lesson. */
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

const lessons = adminAt("/admin/lessons");
const newLesson = adminAt("/admin/lessons/new");
const lesson = adminAt("/admin/lessons/:id");
const preview = adminAt("/admin/lessons/preview");
const drafts = adminAt("/admin/lessons/:id/draft");

export const adminLessonRows: Row[] = [
  lessons.page("the list", ok("The open lesson")),
  lessons.post(
    "deleting what went with its course",
    seeOther("/admin/lessons", "Error"),
    (given) => ({ form: { id: deletedId(given) } }),
  ),
  newLesson.page("a name for it", found(/^\/admin\/lessons\/new\?id=[\w-]{36}$/)),
  newLesson.page("the form", ok("Create lesson"), () => `/admin/lessons/new?id=${newId()}`),
  newLesson.post(
    "creating",
    seeOther(/^\/admin\/lessons\/[\w-]{36}$/, "Lesson created successfully"),
    (given) => ({ multipart: form(given, newId()) }),
  ),
  lesson.page("a lesson", ok(marks.openText), (given) => `/admin/lessons/${idOf(given)}`),
  lesson.page("a deleted lesson", 404, (given) => `/admin/lessons/${deletedId(given)}`),
  lesson.page("no such lesson", 404, "/admin/lessons/none"),
  lesson.page("asking before it is deleted", ok("Delete lesson"), (given) => {
    return `/admin/lessons/${idOf(given)}?delete=1`;
  }),
  lesson.post("deleting what cannot be", seeOther("/admin/lessons/none", "Error"), {
    id: "none",
    form: { intent: "delete" },
  }),
  lesson.post("saving what is gone", 404, (given) => {
    const id = newId();
    return { id, multipart: [...form(given, id), ["revision", "3"]] };
  }),
  preview.get("reading", 405),
  preview.post("a preview", ok("<em>a</em>"), { json: { content: "*a*", prompts: "" } }),
  drafts.get("reading", 405, "/admin/lessons/none/draft"),
  drafts.put("keeping one for somebody else", 401, () => ({
    id: newId(),
    json: { ...draft, userId: newId(), draftId: newId() },
  })),
  drafts.post("giving one up", seeOther("/admin/lessons"), () => ({
    id: newId(),
    form: { draft: `${newId()}:1` },
  })),
  drafts.post("in a lesson that cannot be", 404, { id: "none", form: {} }),
];
