import { getCaptions, versionOf } from "~/features/lesson-media/captions.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { adminOnly, type Given, type Row } from "../row.ts";

const json = { accept: "application/json" };
const lessonId = ({ world }: Given, lesson = 1) =>
  world.active.modules[0]?.lessons[lesson]?.id ?? "";
const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nThe sound of water.";

/** Asks about the world's second lesson, which has a video and an audio. */
const ofLesson =
  (rest: string, asking: { form?: Record<string, string> } = {}) =>
  (given: Given) => ({
    path: `/admin/lessons/${lessonId(given)}/${rest}`,
    headers: json,
    ...asking,
  });
const of =
  (path: string, asking: { form?: Record<string, string> } = {}) =>
  () => ({
    path,
    headers: json,
    ...asking,
  });

export const adminMediaRows: Row[] = [
  {
    pattern: "/admin/lessons/:id/media",
    what: "of a lesson",
    ask: ofLesson("media"),
    expect: adminOnly({ status: 200, has: ['"fileName":"film.mp4"', '"limit"'] }),
  },
  {
    pattern: "/admin/lessons/:id/media",
    what: "of a lesson that is not saved yet",
    ask: () => ({ path: `/admin/lessons/${newId()}/media` }),
    expect: adminOnly({ status: 200, has: ['"uploads":[]'] }),
  },
  {
    pattern: "/admin/lessons/:id/media",
    what: "of no lesson",
    ask: of("/admin/lessons/none/media"),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/lessons/:id/media",
    what: "the video itself",
    ask: ofLesson("media?play=video"),
    expect: adminOnly({ status: 302, location: /^\/media\/course-videos\// }),
  },
  {
    pattern: "/admin/lessons/:id/media",
    what: "finishing an upload that is not there",
    method: "POST",
    ask: ofLesson("media", { form: { intent: "finish", uploadId: newId() } }),
    expect: adminOnly({ status: 404, has: ["no longer there"] }),
  },
  {
    pattern: "/admin/lessons/:id/media",
    what: "removing the video of a lesson that is not there",
    method: "POST",
    ask: () => ({
      path: `/admin/lessons/${newId()}/media`,
      headers: json,
      form: { intent: "remove", kind: "video", key: "film.mp4" },
    }),
    expect: adminOnly({ status: 200 }),
  },
  {
    pattern: "/admin/lessons/:id/captions",
    what: "of a lesson that is not there",
    ask: () => ({ path: `/admin/lessons/${newId()}/captions`, headers: json }),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/lessons/:id/captions",
    what: "captions of a lesson",
    method: "POST",
    ask: async (given) => {
      const version = versionOf(await getCaptions(given.services, lessonId(given)));
      return ofLesson("captions", { form: { intent: "captions", text: vtt, version } })(given);
    },
    expect: adminOnly({ status: 200, has: ['"cues":1'] }),
  },
  {
    pattern: "/admin/lessons/:id/captions",
    what: "captions of a lesson that is not there",
    method: "POST",
    ask: of("/admin/lessons/none/captions", {
      form: { intent: "captions", text: vtt, version: versionOf(null) },
    }),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/lessons/:id/captions",
    what: "a transcript that was changed elsewhere",
    method: "POST",
    ask: ofLesson("captions", {
      form: { intent: "transcript", kind: "audio", text: "Water.", version: "another" },
    }),
    expect: adminOnly({ status: 200, has: ['"changed"'] }),
  },
];
