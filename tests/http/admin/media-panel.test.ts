import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { getCaptions, versionOf } from "~/features/lesson-media/captions.server.ts";
import type { PanelState } from "~/features/lesson-media/media-panel.server.ts";
import {
  captionsErrors,
  captionsMessages,
  mediaKinds,
  uploadRefusals,
} from "~/features/lesson-media/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import { findUpload } from "~/platform/uploads/rows.ts";
import { collectLog } from "../../support/log-lines.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { toastOf } from "../../support/responses.ts";
import { type Asking, siteOfFile } from "../../support/site.ts";
import {
  announce,
  askUpload,
  filmOf,
  sampleFile,
  type Uploading,
  unfinish,
  upload,
  uploadingTo,
} from "../../support/uploads.ts";

const site = siteOfFile({ UPLOAD_LIMIT_GB: "0.1" });
const admin = adminOfFile(site);

const json = { accept: "application/json" };
const ask = (path: string, asking: Asking = {}) =>
  site.ask(path, { as: admin, headers: json, ...asking });
const panelOf = async (lessonId: string) =>
  (await (await ask(`/admin/lessons/${lessonId}/media`)).json()) as PanelState;
const post = (lessonId: string, where: "media" | "captions", form: Record<string, string>) =>
  ask(`/admin/lessons/${lessonId}/${where}`, { form });
/** Where to upload for a saved lesson of its own. */
const aLesson = () => uploadingTo(site.services, site.url);
const uploadFilm = (to: Uploading, fileName = "film.mp4") =>
  upload(sampleFile("film.mp4"), { ...to, fileName });

describe("GET /admin/lessons/{id}/media", () => {
  test("has nothing of a new lesson but the largest size", async () => {
    const none = {
      stored: null,
      uploads: [],
      transcript: { text: "", version: versionOf(null) },
    };
    expect(await panelOf((await aLesson()).lessonId)).toEqual({
      video: none,
      audio: none,
      captions: null,
      captionsVersion: versionOf(null),
      limit: 100_000_000,
      poster: null,
      siteConverts: false,
      files: {
        list: [],
        uploads: [],
        types: ["pdf", "epub", "zip", "png", "jpeg", "webp", "docx", "xlsx"],
        limit: 100_000_000,
      },
    });
  });

  test("has a file's name, length and size, and plays it", async () => {
    const to = await aLesson();
    await uploadFilm(to, "Mein <b>Film</b>.mp4");
    const { video, audio } = await panelOf(to.lessonId);
    const size = sampleFile("film.mp4").length;
    expect(video.stored).toMatchObject({ fileName: "Mein <b>Film</b>.mp4", size });
    expect(video.stored?.durationMs).toBeCloseTo(1000, -3);
    expect(audio.stored).toBeNull();
    const play = (kind: string) => ask(`/admin/lessons/${to.lessonId}/media?play=${kind}`);
    const there = await play("video");
    expect(there.status).toBe(302);
    const film = await site.ask(there.headers.get("location") ?? "");
    expect(Buffer.from(await film.arrayBuffer())).toEqual(sampleFile("film.mp4"));
    for (const nothing of ["audio", "toString", ""]) expect((await play(nothing)).status).toBe(404);
  });

  test("warns of a film that many devices cannot show, here and on the page of its course", async () => {
    const to = await aLesson();
    await upload(sampleFile("prores.mov"), { ...to, fileName: "prores.mov" });
    const { stored } = (await panelOf(to.lessonId)).video;
    expect(stored?.film).toMatch(/^ProRes video, 90p, /);
    expect(stored?.warning?.title).toContain("cannot show this film (ProRes)");
    const { productId } = await site.services.db.read
      .selectFrom("modules")
      .select("productId")
      .where("id", "=", to.moduleId)
      .executeTakeFirstOrThrow();
    const course = await ask(`/admin/courses/${productId}`, { headers: { accept: "text/html" } });
    expect(await course.text()).toContain("its film may stay black on some devices");
  });

  test("has uploads that stopped or were refused", async () => {
    const to = await aLesson();
    const page = Buffer.from("<!doctype html><script>");
    await upload(page, { ...to, fileName: "page.mp4" }).catch(() => {});
    const address = await announce({ ...to, fileName: "stopped.mp4" }, 3_000_000);
    const body = new Uint8Array(filmOf(1_000_000));
    await askUpload("PATCH", to, address, { offset: 0, body });
    const { uploads } = (await panelOf(to.lessonId)).video;
    const id = address.split("/").at(-1);
    const stopped = { fileName: "stopped.mp4", size: 3_000_000, received: 1_000_000, reason: null };
    expect(uploads).toMatchObject([
      { id, kind: "video", ...stopped },
      { fileName: "page.mp4", received: 0, reason: expect.stringContaining("not a video") },
    ]);
  });
});

describe("GET /admin/lessons/{id}/media, with an upload that a crash left unchecked", () => {
  test("checks it, while the lesson's page does not wait for that", async () => {
    const to = await aLesson();
    const uploadId = await uploadFilm(to);
    await unfinish(site.services, uploadId);
    const page = await ask(`/admin/lessons/${to.lessonId}`, { headers: {} });
    expect([page.status, await findUpload(site.services, uploadId)]).toMatchObject([
      200,
      { finishedAt: null },
    ]);
    const { stored, uploads } = (await panelOf(to.lessonId)).video;
    expect([stored?.fileName, uploads]).toEqual(["film.mp4", []]);
  });

  test("says why it is refused, and logs no error", async () => {
    const to = await aLesson();
    const page = "<!doctype html><script>";
    const id = (await announce(to, page.length)).split("/").at(-1) ?? "";
    writeFileSync(path.join(site.services.config.dataDir, "uploads", id), page);
    const lines = collectLog(site.services.log);
    site.services.log.level = "info";
    const { uploads } = (await panelOf(to.lessonId)).video;
    expect(uploads).toMatchObject([{ id, reason: expect.stringContaining("not a video") }]);
    expect(lines.join("")).toContain("upload checked");
    expect(lines.join("")).not.toMatch(/"level":"(warn|error)"/);
  });
});

describe("POST /admin/lessons/{id}/media", () => {
  /** The form of the file that is shown now. */
  const removal = async (lessonId: string) => {
    const { stored } = (await panelOf(lessonId)).video;
    return { intent: "remove", kind: "video", key: stored?.key ?? "" };
  };

  test("removes the video; idempotent", async () => {
    const to = await aLesson();
    await uploadFilm(to);
    const form = await removal(to.lessonId);
    for (const _ of [1, 2]) expect((await post(to.lessonId, "media", form)).status).toBe(200);
    expect((await panelOf(to.lessonId)).video.stored).toBeNull();
  });

  test.each(["saved", "new"])(
    "keeps another file of a %s lesson that came meanwhile",
    async (age) => {
      const saved = await aLesson();
      const to = age === "saved" ? saved : { ...saved, lessonId: newId() };
      const { lessonId } = to;
      await uploadFilm(to, "old.mp4");
      const form = await removal(lessonId);
      await uploadFilm(to, "new.mp4");
      const answer = await post(lessonId, "media", form);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ error: { message: uploadRefusals.otherFile } });
      expect((await panelOf(lessonId)).video.stored?.fileName).toBe("new.mp4");
      expect((await post(lessonId, "media", await removal(lessonId))).status).toBe(200);
      expect((await panelOf(lessonId)).video.stored).toBeNull();
    },
  );

  test("redirects to the lesson with a toast without scripts", async () => {
    const to = await aLesson();
    await uploadFilm(to);
    const form = await removal(to.lessonId);
    const answer = await ask(`/admin/lessons/${to.lessonId}/media`, { form, headers: {} });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`/admin/lessons/${to.lessonId}`);
    expect(toastOf(answer)).toEqual({ title: "Video removed", tone: "success" });
  });

  test.each([
    {},
    { intent: "other", kind: "video", key: "film.mp4" },
    { intent: "remove", kind: "picture", key: "film.mp4" },
    { intent: "remove", kind: "video" },
    { intent: "remove", kind: "video", key: "" },
    { intent: "remove", kind: "video", key: "a".repeat(1001) },
  ])("refuses %j", async (form) => {
    expect((await post(newId(), "media", form as Record<string, string>)).status).toBe(404);
  });
});

const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning.\n\n00:03.000 --> 00:04.000\nSit.";
const stored =
  "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGood morning.\n\n00:00:03.000 --> 00:00:04.000\nSit.\n";
const subRip =
  "1\n00:00:01,000 --> 00:00:02,000\nGood morning.\n\n2\n00:00:03,000 --> 00:00:04,000\nSit.";
const other = "WEBVTT\n\n00:05.000 --> 00:06.000\nGood evening.";

describe("POST /admin/lessons/{id}/captions, captions", () => {
  const captionsOf = (lessonId: string) => getCaptions(site.services, lessonId);
  type Sent = { file?: string; text?: string; version?: string; headers?: Record<string, string> };
  async function send(lessonId: string, { file, text = "", version, headers = json }: Sent) {
    const body = new FormData();
    body.set("intent", "captions");
    body.set("version", version ?? versionOf(await captionsOf(lessonId)));
    body.set("text", text);
    if (file !== undefined) body.set("file", new Blob([file]), "captions.vtt");
    return ask(`/admin/lessons/${lessonId}/captions`, { body, headers });
  }

  test.each<[string, Sent, boolean]>([
    ["a file", { file: vtt }, false],
    ["pasted text, and no file chosen", { file: "", text: vtt }, false],
    ["a file, before pasted text", { file: vtt, text: "Dear Anna" }, false],
    ["SubRip", { file: subRip }, true],
  ])("saves those of %s, for download too", async (_, sent, converted) => {
    const { lessonId } = await aLesson();
    expect(await (await send(lessonId, sent)).json()).toEqual({ cues: 2, converted });
    expect((await panelOf(lessonId)).captions).toBe(2);
    const back = await ask(`/admin/lessons/${lessonId}/captions`);
    expect(back.headers.get("content-type")).toBe("text/vtt; charset=utf-8");
    expect(back.headers.get("content-disposition")).toContain("attachment");
    expect(await back.text()).toBe(stored);
  });

  test.each([
    ["something else", "Dear Anna", captionsErrors.noHeader.replace("{line}", "1")],
    ["too much", `WEBVTT\n\n${"NOTE x\n\n".repeat(200_000)}`, captionsErrors.tooLong],
  ])("refuses %s in words, and changes nothing", async (_, file, message) => {
    const { lessonId } = await aLesson();
    await send(lessonId, { file: vtt });
    const answer = await send(lessonId, { file });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid", message } });
    expect(await captionsOf(lessonId)).toBe(stored);
  });

  test("saves none for a lesson that is deleted or unknown", async () => {
    const { lessonId } = await aLesson();
    const lessons = site.services.db.write.updateTable("lessons").where("id", "=", lessonId);
    await lessons.set({ deletedAt: new Date() }).execute();
    for (const id of [lessonId, newId(), "none"])
      expect((await send(id, { file: vtt })).status).toBe(404);
    expect(await captionsOf(lessonId)).toBeNull();
  });

  test("removes them; idempotent, and the lesson's own revision stays", async () => {
    const { lessonId } = await aLesson();
    await send(lessonId, { file: vtt });
    const form = { intent: "remove", version: versionOf(stored) };
    for (const _ of [1, 2]) expect((await post(lessonId, "captions", form)).status).toBe(200);
    expect(await captionsOf(lessonId)).toBeNull();
    const lesson = site.services.db.read.selectFrom("lessons").where("id", "=", lessonId);
    expect(await lesson.select("revision").execute()).toEqual([{ revision: 1 }]);
  });

  test.each([
    ["new ones where there were none", null],
    ["others where there were some", other],
  ])("does not overwrite %s, which the form has not seen", async (_, before) => {
    const { lessonId } = await aLesson();
    if (before) await send(lessonId, { file: before });
    const { captionsVersion: version } = await panelOf(lessonId);
    await send(lessonId, { file: vtt });
    const answer = await send(lessonId, { text: other.replace("evening", "night"), version });
    expect(answer.status).toBe(409);
    const { error } = await answer.json();
    expect(error.message).toBe(captionsMessages.captionsChanged);
    const form = { intent: "remove", version };
    expect((await post(lessonId, "captions", form)).status).toBe(409);
    const plain = await ask(`/admin/lessons/${lessonId}/captions`, { form, headers: {} });
    expect([plain.status, await plain.text()]).toEqual([
      409,
      expect.stringContaining("Reload the page"),
    ]);
    expect(await captionsOf(lessonId)).toBe(stored);
    const seen = (await panelOf(lessonId)).captionsVersion;
    expect((await send(lessonId, { file: other, version: seen })).status).toBe(200);
  });

  test("saves the same twice without a word; of two at once, one is refused", async () => {
    const { lessonId } = await aLesson();
    const both = async (files: string[], version: string) => {
      const sent = await Promise.all(files.map((file) => send(lessonId, { file, version })));
      return sent.map(({ status }) => status).sort();
    };
    expect(await both([vtt, vtt], versionOf(null))).toEqual([200, 200]);
    expect(await both([`${other} A`, `${other} B`], versionOf(stored))).toEqual([200, 409]);
  });

  test("redirects without scripts, or says on a page what is wrong", async () => {
    const { lessonId } = await aLesson();
    const good = await send(lessonId, { file: vtt, headers: {} });
    expect([good.status, toastOf(good)?.title]).toEqual([303, captionsMessages.saved.title]);
    const bad = await send(lessonId, { text: "Dear <b>Anna</b>", headers: {} });
    expect(bad.status).toBe(400);
    const page = await bad.text();
    expect(page).toContain("starts with the word WEBVTT");
    expect(page).toContain("back button brings back what you wrote");
    expect(page).not.toContain("Anna");
  });

  test.each([
    {},
    { intent: "other" },
    { intent: "transcript", kind: "video" },
    { intent: "remove" },
    { intent: "captions", text: vtt },
  ])("refuses %j", async (form) => {
    expect((await post(newId(), "captions", form as Record<string, string>)).status).toBe(400);
  });
});

describe.each(mediaKinds)("POST /admin/lessons/{id}/captions, %s", (kind) => {
  const none = versionOf(null);
  const transcriptOf = async (lessonId: string) => (await panelOf(lessonId))[kind].transcript;
  const save = async (lessonId: string, text: string, version: string) => {
    const answer = await post(lessonId, "captions", { intent: "transcript", kind, text, version });
    return { status: answer.status, body: await answer.json() };
  };

  test("saves, changes and empties the transcript", async () => {
    const { lessonId } = await aLesson();
    let version = none;
    for (const [typed, text] of [
      ["  One.\r\n\r\nTwo.\n", "One.\n\nTwo."],
      ["One.", "One."],
      [" ", ""],
    ] as const) {
      const { body } = await save(lessonId, typed, version);
      expect(body).toEqual({ is: "saved", transcript: { text, version: versionOf(text) } });
      expect(await transcriptOf(lessonId)).toEqual(body.transcript);
      version = body.transcript.version;
    }
  });

  test("returns the transcript that was changed elsewhere, and does not overwrite it", async () => {
    const { lessonId } = await aLesson();
    await save(lessonId, "From one tab.", none);
    const { status, body } = await save(lessonId, "From another.", none);
    expect([status, body.is, body.transcript.text]).toEqual([200, "changed", "From one tab."]);
    const form = { intent: "transcript", kind, text: "Mine.", version: none };
    const plain = await ask(`/admin/lessons/${lessonId}/captions`, { form, headers: {} });
    expect([plain.status, await plain.text()]).toEqual([
      409,
      expect.stringContaining("was changed somewhere else"),
    ]);
    expect((await transcriptOf(lessonId)).text).toBe("From one tab.");
    const { body: again } = await save(lessonId, "From another.", body.transcript.version);
    expect(again.is).toBe("saved");
  });

  test("saves the same twice without a word; of two at once, one is returned", async () => {
    const { lessonId } = await aLesson();
    const both = async (texts: string[], version: string) => {
      const saved = await Promise.all(texts.map((text) => save(lessonId, text, version)));
      return saved.map(({ body }) => body.is).sort();
    };
    expect(await both(["The same.", "The same."], none)).toEqual(["saved", "saved"]);
    expect(await both(["A", "B"], versionOf("The same."))).toEqual(["changed", "saved"]);
  });

  test("takes a book, and refuses more", async () => {
    const { lessonId } = await aLesson();
    expect((await save(lessonId, "ä".repeat(500_001), none)).status).toBe(400);
    expect((await save(lessonId, "ä".repeat(500_000), none)).status).toBe(200);
  });
});
