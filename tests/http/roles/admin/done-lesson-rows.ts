import { versionOf } from "~/features/lesson-media/captions.server.ts";
import { fileOfUpload } from "~/features/lesson-media/media.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { lessonForm } from "../../../support/lessons.ts";
import { adminOnly, type Given, type Row } from "../row.ts";
import { aCourse, anUploadedFilm, vtt } from "./thrown-away.ts";

const json = { accept: "application/json" };
const toLesson = /^\/admin\/lessons\/[\w-]{36}$/;
const captionsOf = async (given: Given) =>
  `/admin/lessons/${(await aCourse(given)).lesson.id}/captions`;

const ofText: Row[] = [
  {
    pattern: "/admin/lessons",
    what: "deleting a lesson that is there",
    method: "POST",
    ask: async (given) => {
      const { lesson } = await aCourse(given);
      return { path: "/admin/lessons", form: { id: lesson.id } };
    },
    expect: adminOnly({
      status: 303,
      toast: "Lesson deleted successfully",
      location: "/admin/lessons",
    }),
  },
  {
    pattern: "/admin/lessons/:id",
    what: "saving a lesson that is there",
    method: "POST",
    ask: async (given) => {
      const { lesson } = await aCourse(given);
      const multipart = lessonForm(lesson.moduleId, { revision: "1", content: "Other words." });
      return { path: `/admin/lessons/${lesson.id}`, multipart };
    },
    expect: adminOnly({ status: 303, toast: "Lesson updated successfully", location: toLesson }),
  },
  {
    pattern: "/admin/lessons/:id/draft",
    what: "keeping one's own",
    method: "PUT",
    ask: async (given) => {
      const { lesson } = await aCourse(given);
      const draft = { baseRevision: 1, revision: 1, fields: { content: "Half a sent" } };
      return {
        path: `/admin/lessons/${lesson.id}/draft`,
        json: { ...draft, userId: given.as?.id ?? newId(), draftId: newId() },
      };
    },
    expect: adminOnly({ status: 204 }),
  },
];

const ofMedia: Row[] = [
  {
    pattern: "/admin/lessons/:id/captions",
    what: "captions that are there",
    ask: async (given) => ({ path: await captionsOf(given), headers: json }),
    expect: adminOnly({ status: 200, has: ["WEBVTT", "The sound of water."] }),
  },
  {
    pattern: "/admin/lessons/:id/captions",
    what: "removing captions that are there",
    method: "POST",
    ask: async (given) => ({
      path: await captionsOf(given),
      headers: json,
      form: { intent: "remove", version: versionOf(vtt) },
    }),
    expect: adminOnly({ status: 200 }),
  },
  {
    pattern: "/admin/lessons/:id/captions",
    what: "a transcript",
    method: "POST",
    ask: async (given) => ({
      path: await captionsOf(given),
      headers: json,
      form: { intent: "transcript", kind: "video", text: "Water.", version: versionOf(null) },
    }),
    expect: adminOnly({ status: 200, has: ['"saved"', "Water."] }),
  },
  {
    pattern: "/admin/lessons/:id/media",
    what: "finishing what was uploaded",
    method: "POST",
    ask: async (given) => {
      const { lessonId, uploadId } = await anUploadedFilm(given);
      const form = { intent: "finish", uploadId };
      return { path: `/admin/lessons/${lessonId}/media`, headers: json, form };
    },
    expect: adminOnly({ status: 200, has: ["{}"] }),
  },
  {
    pattern: "/admin/lessons/:id/media",
    what: "removing what was uploaded",
    method: "POST",
    ask: async (given) => {
      const { lessonId, uploadId } = await anUploadedFilm(given);
      const { key = "" } = (await fileOfUpload(given.services, uploadId)) ?? {};
      const form = { intent: "remove", kind: "video", key };
      return { path: `/admin/lessons/${lessonId}/media`, headers: json, form };
    },
    expect: adminOnly({ status: 200, has: ["{}"] }),
  },
];

/** What an administrator does to lessons, and nobody else. */
export const doneLessonRows: Row[] = [...ofText, ...ofMedia];
