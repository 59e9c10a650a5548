import { updateLesson } from "~/features/lesson-editor/lessons.server.ts";
import { versionOf } from "~/features/lesson-media/captions.server.ts";
import { mediaKeys } from "~/features/lesson-media/media.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { listFile } from "../../../support/lesson-files.ts";
import { lessonForm } from "../../../support/lessons.ts";
import { adminAt, type Given, ok, type Row, seeOther } from "../row.ts";
import { aCourse, anUploadedFilm, vtt } from "./thrown-away.ts";

const json = { accept: "application/json" };
const toLesson = /^\/admin\/lessons\/[\w-]{36}$/;
/** Asks about a new lesson with captions. */
const ofLesson = (form?: Record<string, string>) => async (given: Given) => ({
  id: (await aCourse(given)).lesson.id,
  headers: json,
  form,
});

const captions = adminAt("/admin/lessons/:id/captions");

const ofText: Row[] = [
  adminAt("/admin/lessons").post(
    "deleting a lesson that is there",
    seeOther("/admin/lessons", "Lesson deleted successfully"),
    async (given) => {
      const { lesson } = await aCourse(given);
      return { form: { id: lesson.id } };
    },
  ),
  adminAt("/admin/lessons/:id").post(
    "deleting a lesson from its page",
    seeOther(/^\/admin\/courses\/[\w-]{36}$/, "Lesson deleted successfully"),
    async (given) => {
      const { lesson } = await aCourse(given);
      return { id: lesson.id, form: { intent: "delete" } };
    },
  ),
  adminAt("/admin/lessons/:id").post(
    "saving a lesson that is there",
    seeOther(toLesson, "Lesson updated successfully"),
    async (given) => {
      const { lesson } = await aCourse(given);
      const multipart = lessonForm(lesson.moduleId, { revision: "1", content: "Other words." });
      return { id: lesson.id, multipart };
    },
  ),
  adminAt("/admin/lessons/:id/draft").put("keeping one's own", 204, async (given) => {
    const { lesson } = await aCourse(given);
    const draft = { baseRevision: 1, revision: 1, fields: { content: "Half a sent" } };
    return { id: lesson.id, json: { ...draft, userId: given.as?.id ?? newId(), draftId: newId() } };
  }),
];

const history = adminAt("/admin/lessons/:id/history");

/** A lesson that was saved once, with other words than before. */
async function saved(given: Given) {
  const { lesson } = await aCourse(given);
  const words = { title: "First", slug: lesson.slug, orderNum: 1, dripDay: 0, prompts: null };
  const { id, moduleId } = lesson;
  const change = { ...words, id, moduleId, revision: 1, content: "Other words." };
  await updateLesson(given.services, change);
  return { id };
}

const ofHistory: Row[] = [
  history.page("no versions", ok("No versions yet"), async (given) => ({
    id: (await aCourse(given)).lesson.id,
  })),
  history.page("the versions", ok("Version 2", "Not recorded"), saved),
  history.page("one compared", ok("Bring this version back"), async (given) => {
    const { id } = await saved(given);
    return `/admin/lessons/${id}/history?version=1`;
  }),
  history.page("no such lesson", 404, { id: "none" }),
  history.post(
    "bringing one back",
    seeOther(/\/history$/, "Version 1 is back, as the newest version"),
    async (given) => ({
      ...(await saved(given)),
      form: { number: "1", revision: "2", orderBefore: "1" },
    }),
  ),
  history.post("over another save", seeOther(/\/history\?version=\d$/, "Error"), async (given) => ({
    ...(await saved(given)),
    form: { number: "1", revision: "1", orderBefore: "1" },
  })),
];

const ofMedia: Row[] = [
  captions.get("captions that are there", ok("WEBVTT", "The sound of water."), ofLesson()),
  captions.post(
    "removing captions that are there",
    200,
    ofLesson({ intent: "remove", version: versionOf(vtt) }),
  ),
  captions.post(
    "a transcript",
    ok('"saved"', "Water."),
    ofLesson({ intent: "transcript", kind: "video", text: "Water.", version: versionOf(null) }),
  ),
  adminAt("/admin/lessons/:id/media").post(
    "removing what was uploaded",
    ok("{}"),
    async (given) => {
      const lessonId = await anUploadedFilm(given);
      const key = (await mediaKeys(given.services.db.read, lessonId)).video ?? "";
      const form = { intent: "remove", kind: "video", key };
      return { id: lessonId, headers: json, form };
    },
  ),
];

const files = adminAt("/admin/lessons/:id/files");

/** Asks about the first of two files of a new lesson. */
const ofFile =
  (form: (file: string, other: string) => Record<string, string>, headers = json) =>
  async (given: Given) => {
    const { id } = (await aCourse(given)).lesson;
    const file = await listFile(given.services, id);
    const other = await listFile(given.services, id, { title: "Pictures" });
    return { id, headers, form: form(file, other) };
  };

const ofFiles: Row[] = [
  files.post(
    "renaming a file",
    ok("{}"),
    ofFile((file) => ({ intent: "rename", file, title: "First week", before: "Workbook" })),
  ),
  files.post(
    "renaming a file that was renamed elsewhere",
    { status: 409, has: ["“Workbook”"] },
    ofFile((file) => ({ intent: "rename", file, title: "First week", before: "Another" })),
  ),
  files.post(
    "moving a file",
    ok("{}"),
    ofFile((file, other) => ({ intent: "move", file: other, beforeId: file })),
  ),
  files.post(
    "removing a file",
    ok("{}"),
    ofFile((file) => ({ intent: "remove", file })),
  ),
];

/** What an administrator does to lessons, and no one else. */
export const doneLessonRows: Row[] = [...ofText, ...ofHistory, ...ofMedia, ...ofFiles];
