import { getCaptions, versionOf } from "~/features/lesson-media/captions.server.ts";
import { listFiles } from "~/features/lesson-media/files.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { adminAt, found, type Given, ok, type Row } from "../row.ts";

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
  () => ({ path, headers: json, ...asking });

const media = adminAt("/admin/lessons/:id/media");
const files = adminAt("/admin/lessons/:id/files");
const captions = adminAt("/admin/lessons/:id/captions");

export const adminMediaRows: Row[] = [
  media.get("of a lesson", ok('"fileName":"film.mp4"', '"limit"'), ofLesson("media")),
  media.get(
    "of a lesson that is not saved yet",
    ok('"uploads":[]'),
    () => `/admin/lessons/${newId()}/media`,
  ),
  media.get("of no lesson", 404, of("/admin/lessons/none/media")),
  media.get("the video itself", found(/^\/media\/course-videos\//), ofLesson("media?play=video")),
  media.post("removing the video of a lesson that is not there", 200, () => ({
    id: newId(),
    headers: json,
    form: { intent: "remove", kind: "video", key: "film.mp4" },
  })),
  files.get("a file of a lesson", found(/^\/media\/course-files\/.+&name=/), async (given) => {
    const [file] = await listFiles(given.services.db.read, lessonId(given));
    return ofLesson(`files?file=${file?.id}`)(given);
  }),
  files.get("of no lesson", 404, of(`/admin/lessons/none/files?file=${newId()}`)),
  files.post("removing a file that is not there", 200, () => ({
    id: newId(),
    headers: json,
    form: { intent: "remove", file: newId() },
  })),
  files.post("nothing that can be read", 400, () => ({
    id: newId(),
    headers: json,
    form: { intent: "unpack", file: newId() },
  })),
  captions.get("of a lesson that is not there", 404, () => ({ id: newId(), headers: json })),
  captions.post("captions of a lesson", ok('"cues":1'), async (given) => {
    const version = versionOf(await getCaptions(given.services, lessonId(given)));
    return ofLesson("captions", { form: { intent: "captions", text: vtt, version } })(given);
  }),
  captions.post(
    "captions of a lesson that is not there",
    404,
    of("/admin/lessons/none/captions", {
      form: { intent: "captions", text: vtt, version: versionOf(null) },
    }),
  ),
  captions.post(
    "a transcript that was changed elsewhere",
    ok('"changed"'),
    ofLesson("captions", {
      form: { intent: "transcript", kind: "audio", text: "Water.", version: "another" },
    }),
  ),
];
