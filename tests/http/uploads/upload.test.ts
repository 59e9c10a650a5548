import { beforeAll, describe, expect, test } from "vitest";
import { insertLesson, prepareLesson } from "~/features/courses/create-course.server.ts";
import type { MediaKind } from "~/features/lesson-media/messages.ts";
import { attachMedia, detachMedia, finishUpload } from "~/features/lesson-media/uploads.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { tagged, withPiece } from "../../support/polyglots.ts";
import {
  announce,
  askUpload,
  beginUpload,
  filmOf,
  refusalOf,
  sampleFile,
  sha,
  startUploadSite,
  type UploadSite,
  unfinish,
  upload,
} from "../../support/uploads.ts";

const film = sampleFile("film.mp4");
const page = "<!doctype html><html><body><script>xss()</script></body></html>";
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>xss()</script></svg>';

/** Media that can be played, with a page inside. */
const polyglots: [string, MediaKind, string, string, Buffer][] = [
  [
    "a video with a page in its free space",
    "video",
    "film.mp4",
    "video/mp4",
    filmOf(film.length + 10_000, (room) => room.write(page, "latin1")),
  ],
  [
    "a video with a page behind it",
    "video",
    "film.html.webm",
    "video/webm",
    Buffer.concat([sampleFile("film.webm"), Buffer.from(page)]),
  ],
  [
    "an audio with a drawing in it",
    "audio",
    "sound.svg.wav",
    "audio/wav",
    withPiece(drawing, sampleFile("sound.wav")),
  ],
  [
    "an audio whose comment is a page",
    "audio",
    "<script>xss()</script>.mp3",
    "audio/mpeg",
    tagged(page, sampleFile("sound.mp3")),
  ],
];

type Name = [MediaKind, string];
const everyName: Name[] = [
  ["video", "film.mp4"],
  ["video", "film.webm"],
  ["audio", "sound.mp3"],
  ["audio", "sound.wav"],
];
const notMedia = /^This is not (a video|audio) for web pages/;
const damaged = /^This file is damaged or incomplete/;
const anyReason = /^This /;
/** What is refused under each of these names. */
const refused: [string, Buffer | string, Name[], RegExp][] = [
  ["a page", page, everyName, notMedia],
  ["a page that begins like a video", `\0\0\0\x18ftypmp42${page}`, everyName, anyReason],
  ["a page that begins like an audio", `ID3${page}`, everyName, anyReason],
  ["a drawing", drawing, everyName, notMedia],
  ["a picture that is a script", "GIF89a=1;/*\0\0\0\0\0\0\0\0*/;xss()//", everyName, anyReason],
  [
    "a document",
    `%PDF-1.7\n1 0 obj<</S/JavaScript/JS(xss())>>endobj\n${page}`,
    everyName,
    anyReason,
  ],
  ["a message", `MIME-Version: 1.0\nContent-Type: text/html\n\n${page}`, everyName, anyReason],
  ["a page behind blanks and a mark", `\ufeff \n\t${page}`, everyName, anyReason],
  ["a drawing with a head", `<?xml version="1.0"?>${drawing}`, everyName, anyReason],
  ["captions", `WEBVTT\n\n00:00.000 --> 00:01.000\n${page}\n`, everyName, anyReason],
  ["a zip", `PK\x03\x04${"\0".repeat(200)}`, everyName, notMedia],
  ["nothing but zeros", Buffer.alloc(100_000), everyName, notMedia],
  ["a video as audio", film, [["audio", "sound.m4a"]], /^This is a video\./],
  ["audio as a video", sampleFile("sound-only.mp4"), [["video", "a.mp4"]], /without a picture/],
  [
    "another format than its name",
    sampleFile("film.webm"),
    [["video", "film.mp4"]],
    /named \.mp4 but is a WEBM file\. Rename/,
  ],
  ["a format for no browser", sampleFile("film.mkv"), [["video", "film.webm"]], notMedia],
  ["half a video", film.subarray(0, 3000), [["video", "film.mp4"]], damaged],
  ["no end", sampleFile("film.m4v").subarray(0, 4000), [["video", "film.m4v"]], damaged],
];

describe.each(["local", "s3"] as const)("PATCH /uploads/*, %s", (kind) => {
  const site = openForTests(() => startUploadSite(kind));
  let to: UploadSite["to"];
  beforeAll(async () => {
    to = site.to;
  });

  const bytesOf = async (media: MediaKind, key: string | null | undefined) => {
    const response = await fetch(await site.urlOf(media, key));
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  const lessons = () => site.services.db.write.updateTable("lessons").where("id", "=", to.lessonId);

  test("a video of many parts becomes its lesson's, byte for byte", async () => {
    const long = filmOf(20_000_000, (room) =>
      room.fill("nothing twice, 41 bytes of it, all the way. "),
    );
    await upload(long, { ...to, fileName: "Mein Film (ä).MP4" });
    const { video, audio } = await site.panel();
    expect(video).toMatchObject({
      stored: {
        key: expect.stringMatching(new RegExp(`^${to.moduleId}/\\d{13}-Mein-Film-a\\.mp4$`)),
        fileName: "Mein Film (ä).MP4",
        size: long.length,
      },
      uploads: [],
    });
    expect(audio.stored).toBeNull();
    expect(sha(await bytesOf("video", video.stored?.key))).toBe(sha(long));
    expect(site.remains()).toEqual([]);
  });

  test.each<[MediaKind, string]>([
    ["video", "film.mp4"],
    ["video", "film.m4v"],
    ["video", "film.mov"],
    ["video", "film.webm"],
    ["video", "mute.mp4"],
    ["audio", "sound.mp3"],
    ["audio", "vbr.mp3"],
    ["audio", "sound.m4a"],
    ["audio", "sound.aac"],
    ["audio", "sound.ogg"],
    ["audio", "sound.wav"],
    ["audio", "sound.flac"],
  ])("%s: takes %s, and finds its second of length", async (media, fileName) => {
    const lessonId = newId();
    await upload(sampleFile(fileName), { ...to, kind: media, fileName, lessonId });
    const { stored } = (await site.panel(lessonId))[media];
    expect(stored?.fileName).toBe(fileName);
    expect(Math.abs((stored?.durationMs ?? 0) - 1000)).toBeLessThan(150);
    expect(await bytesOf(media, stored?.key)).toEqual(sampleFile(fileName));
  });

  test.each(polyglots)("%s is played, and never read as anything else", async (...given) => {
    const [, media, fileName, type, bytes] = given;
    const lessonId = newId();
    await upload(bytes, { ...to, kind: media, fileName, lessonId });
    const { stored } = (await site.panel(lessonId))[media];
    expect(stored?.key).toMatch(/^[\w-]+\/\d+-[\w.-]+\.(mp4|webm|mp3|wav)$/);
    const url = await site.urlOf(media, stored?.key);
    // As a tab would ask for it, and a page for a script, a style sheet or a part of it.
    for (const headers of [
      { accept: "text/html", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" },
      { "sec-fetch-dest": "script" },
      { "sec-fetch-dest": "style" },
      { range: `bytes=${bytes.indexOf("<")}-` },
    ] as Record<string, string>[]) {
      const answer = await fetch(url, { headers });
      expect(answer.status).toBe(headers.range ? 206 : 200);
      expect(answer.headers.get("content-type")).toBe(type);
      // Another store answers under its own name, where no session and no page of ours is.
      if (kind === "local") expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      else expect(url.origin).not.toBe(new URL(site.url).origin);
      await answer.body?.cancel();
    }
  });

  test.each(refused)("refuses %s with a reason, and nothing of it stays", async (...given) => {
    const [, content, names, words] = given;
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
    for (const [media, fileName] of names) {
      const lessonId = newId();
      const answer = await refusalOf(upload(bytes, { ...to, kind: media, fileName, lessonId }));
      expect(answer, fileName).toEqual({ status: 400, said: expect.stringMatching(words) });
      const { stored, uploads } = (await site.panel(lessonId))[media];
      expect(stored).toBeNull();
      expect(uploads).toMatchObject([{ reason: answer.said, fileName }]);
      expect(site.remains()).toEqual([]);
      const again = finishUpload(site.services, { uploadId: uploads[0]?.id ?? "", userId: null });
      await expect(again).rejects.toThrow(answer.said);
    }
  });

  test("a cancelled upload leaves nothing and cannot go on", async () => {
    const lessonId = newId();
    const address = await announce({ ...to, lessonId }, 1000);
    const body = new Uint8Array(film.subarray(0, 500));
    await askUpload("PATCH", to, address, { offset: 0, body });
    expect((await site.panel(lessonId)).video.uploads).toMatchObject([{ received: 500 }]);
    expect(site.remains()).not.toEqual([]);
    expect((await askUpload("DELETE", to, address)).status).toBe(204);
    expect((await site.panel(lessonId)).video.uploads).toEqual([]);
    expect(site.remains()).toEqual([]);
    expect((await askUpload("HEAD", to, address)).status).toBe(404);
  });

  test("a finished upload cannot be cancelled", async () => {
    const uploadId = await upload(film, to);
    expect((await askUpload("DELETE", to, `/uploads/${uploadId}`)).status).toBe(400);
    expect(await bytesOf("video", await site.keyOf())).toEqual(film);
  });

  test("two files of one name in one millisecond are two files", async () => {
    const { clock } = site.services;
    const [now, real] = [clock.now(), clock.now];
    clock.now = () => now;
    const ids = Array.from({ length: 5 }, () => newId());
    try {
      await Promise.all(ids.map((lessonId) => upload(film, { ...to, lessonId })));
    } finally {
      clock.now = real;
    }
    const keys = await Promise.all(ids.map((lessonId) => site.keyOf(lessonId)));
    expect(new Set(keys.filter(Boolean)).size).toBe(5);
  });

  test("the upload that was begun last is the lesson's, whichever ends last", async () => {
    const first = await announce(to, film.length);
    await upload(sampleFile("mute.mp4"), { ...to, fileName: "new.mp4" });
    await upload(film, to, { uploadUrl: new URL(first, site.url).href });
    expect((await site.panel()).video.stored?.fileName).toBe("new.mp4");
  });

  test("an older upload does not come back for a newer one that was removed", async () => {
    const first = await announce(to, film.length);
    await upload(film, { ...to, fileName: "new.mp4" });
    const key = await site.keyOf();
    await detachMedia(site.services, { lessonId: to.lessonId, kind: "video", key });
    await upload(film, to, { uploadUrl: new URL(first, site.url).href });
    expect((await site.panel()).video.stored).toBeNull();
  });

  test("what had arrived when the site crashed is finished once, by the panel and others", async () => {
    const uploadId = await upload(film, to);
    await unfinish(site.services, uploadId);
    await Promise.all([
      ...Array.from({ length: 8 }, () => finishUpload(site.services, { uploadId, userId: null })),
      site.ask(`/admin/lessons/${to.lessonId}/media`, { headers: { cookie: to.cookie } }),
    ]);
    const { stored, uploads } = (await site.panel()).video;
    expect(uploads).toEqual([]);
    expect(await bytesOf("video", stored?.key)).toEqual(film);
    const files = site.services.db.read
      .selectFrom("mediaFiles")
      .select("key")
      .where("id", "=", uploadId);
    expect(await files.execute()).toEqual([{ key: stored?.key }]);
  });

  test("an incomplete upload cannot be finished, nor an unknown one", async () => {
    const uploadId = (await announce(to, 1000)).split("/").at(-1) ?? "";
    const finish = (id: string) => finishUpload(site.services, { uploadId: id, userId: null });
    await expect(finish(uploadId)).rejects.toMatchObject({ code: "conflict" });
    await expect(finish(newId())).rejects.toMatchObject({ code: "not_found" });
  });

  test("a lesson saved or deleted meanwhile gets its file all the same", async () => {
    const uploadUrl = new URL(await announce(to, film.length), site.url).href;
    const values = { title: "Saved meanwhile", revision: 2, deletedAt: site.services.clock.now() };
    await lessons().set(values).execute();
    await upload(film, to, { uploadUrl });
    const row = await lessons()
      .set({ deletedAt: null })
      .returning(["title", "revision", "muxPlaybackId"])
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ title: "Saved meanwhile", revision: 2 });
    expect(await bytesOf("video", row.muxPlaybackId)).toEqual(film);
  });

  test("a new lesson takes over what was uploaded before it was saved, but for what was removed", async () => {
    const { services } = site;
    const lessonId = newId();
    const sound = { ...to, lessonId, kind: "audio" as const, fileName: "a.mp3" };
    await upload(film, { ...to, lessonId });
    await upload(sampleFile("mute.mp4"), { ...to, lessonId, fileName: "new.mp4" });
    await upload(sampleFile("sound.mp3"), sound);
    const { key = "" } = (await site.panel(lessonId)).audio.stored ?? {};
    await detachMedia(services, { lessonId, kind: "audio", key });
    expect((await site.panel(lessonId)).audio.stored).toBeNull();
    const media = await services.db.transaction((trx) => attachMedia(trx, lessonId));
    expect(media).toEqual({
      audioKey: null,
      muxPlaybackId: expect.stringMatching(/new\.mp4$/),
    });
    // From then on the lesson itself says what it has.
    const row = await prepareLesson({
      ...{ moduleId: to.moduleId, title: "A", slug: newId(), orderNum: 1, dripDay: 0, content: "" },
      ...{ prompts: null, ...media },
    });
    const id = await insertLesson(services.db.write, row, services.clock.now());
    expect((await site.panel(id)).video.stored?.fileName).toBe("new.mp4");
    await detachMedia(services, { lessonId: id, kind: "video", key: row.muxPlaybackId ?? "" });
    expect((await site.panel(id)).video.stored).toBeNull();
  });

  test("the address of an upload names no host; another site cannot begin one", async () => {
    const forwarded = { "x-forwarded-host": "elsewhere.example", "x-forwarded-proto": "https" };
    const begun = await beginUpload(to, 1000, forwarded);
    expect(begun.headers.get("location")).toMatch(/^\/uploads\/[0-9a-f-]{36}$/);
    expect(begun.headers.get("access-control-allow-origin")).toBe(to.origin);
    const stranger = { ...to, origin: "https://elsewhere.example" };
    expect((await beginUpload(stranger, 1000)).status).toBe(403);
  });
});
