import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertLesson, prepareLesson } from "~/features/courses/create-course.server.ts";
import { listLessonMedia } from "~/features/lesson-media/media.server.ts";
import { type MediaKind, mediaBuckets } from "~/features/lesson-media/messages.ts";
import { attachMedia, detachMedia, finishUpload } from "~/features/lesson-media/uploads.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { type S3Server, startS3 } from "../../support/s3.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import {
  beginUpload,
  filmOf,
  refusalOf,
  sampleFile,
  type Uploading,
  upload,
} from "../../support/uploads.ts";

const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each(["local", "s3"] as const)("uploads into storage, %s", (kind) => {
  let s3: S3Server | null = null;
  let site: TestSite;
  let course: TestCourse;
  let to: Uploading;

  beforeAll(async () => {
    if (kind === "s3") s3 = await startS3();
    site = await startSite({ ...s3?.env, UPLOAD_LIMIT_GB: "0.05" });
    course = await createCourse(site.services, [Array(8).fill({}), []]);
    to = {
      url: site.url,
      cookie: await site.cookieOf(await createPerson(site.services, { role: "admin" })),
      origin: site.services.config.appUrl,
      moduleId: course.modules[0]?.id ?? "",
    };
  });
  afterAll(async () => {
    await site?.close();
    await s3?.close();
  });

  const lessonId = (index: number) => course.modules[0]?.lessons[index]?.id ?? "";
  const mediaOf = (lesson: string) => listLessonMedia(site.services, lesson);

  async function stored(media: MediaKind, key: string | null): Promise<Buffer> {
    const now = site.services.clock.now();
    const address = await site.services.storage.signedUrl(mediaBuckets[media], key ?? "", now);
    const response = await fetch(new URL(address, site.url));
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  /** Whether anything is left of an upload on its way: bytes or parts. */
  function remains(): unknown[] {
    if (s3)
      return Object.values(mediaBuckets).flatMap((bucket) => {
        const { keys = [], uploads = 0 } = s3?.contents(`test-${bucket}`) ?? {};
        return [...keys.filter((key) => key.startsWith("uploads/")), ...Array(uploads)];
      });
    const folder = path.join(site.services.config.dataDir, "uploads");
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  test("a film of many parts becomes its lesson's, byte for byte", async () => {
    const film = filmOf(20_000_000, (room) =>
      room.fill("nothing twice, 41 bytes of it, all the way. "),
    );
    await upload(film, { ...to, lessonId: lessonId(0), fileName: "Mein Film (ä).MP4" });
    const { video, audio, uploads } = await mediaOf(lessonId(0));
    expect(video.file).toMatchObject({
      bucket: "course-videos",
      key: expect.stringMatching(new RegExp(`^${to.moduleId}/\\d{13}-Mein-Film-a\\.mp4$`)),
      fileName: "Mein Film (ä).MP4",
      contentType: "video/mp4",
      size: film.length,
    });
    expect(video.key).toBe(video.file?.key);
    expect(audio.key).toBeNull();
    expect(uploads).toEqual([]);
    expect(sha(await stored("video", video.key))).toBe(sha(film));
    expect(remains()).toEqual([]);
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
  ])("%s: %s is taken, and its second of length is known", async (media, fileName) => {
    const lesson = newId();
    await upload(sampleFile(fileName), { ...to, kind: media, fileName, lessonId: lesson });
    const found = (await mediaOf(lesson))[media];
    expect(found.file).toMatchObject({ bucket: mediaBuckets[media], fileName });
    expect(Math.abs((found.file?.durationMs ?? 0) - 1000)).toBeLessThan(150);
    expect(await stored(media, found.key)).toEqual(sampleFile(fileName));
  });

  const page = Buffer.from("<!doctype html><title>Film</title><script>alert(1)</script>");
  test.each<[string, MediaKind, string, Buffer, RegExp]>([
    ["a page named .mp4", "video", "film.mp4", page, /^This is not a video for web pages/],
    ["a picture", "video", "film.mp4", sampleFile("picture.png"), /^This is not a video/],
    [
      "a zip",
      "audio",
      "sound.mp3",
      Buffer.from(`PK\x03\x04${"\0".repeat(200)}`),
      /^This is not audio/,
    ],
    ["nothing but zeros", "video", "film.webm", Buffer.alloc(100_000), /^This is not a video/],
    ["a video as audio", "audio", "sound.m4a", sampleFile("film.mp4"), /^This is a video\./],
    ["audio as a video", "video", "film.mp4", sampleFile("sound-only.mp4"), /without a picture/],
    ["an mp3 as a video", "video", "film.mp4", sampleFile("sound.mp3"), /without a picture/],
    [
      "another format than its name",
      "video",
      "film.mp4",
      sampleFile("film.webm"),
      /named \.mp4 but is a WEBM file\. Rename/,
    ],
    [
      "a format for no browser",
      "video",
      "film.webm",
      sampleFile("film.mkv"),
      /^This is not a video/,
    ],
    [
      "half a film",
      "video",
      "film.mp4",
      sampleFile("film.mp4").subarray(0, 3000),
      /damaged or incomplete/,
    ],
    [
      "a film without its end",
      "video",
      "film.m4v",
      sampleFile("film.m4v").subarray(0, 4000),
      /damaged or incomplete/,
    ],
  ])(
    "%s is refused in words, and nothing of it stays",
    async (_, media, fileName, bytes, words) => {
      const lesson = newId();
      const refused = await refusalOf(
        upload(bytes, { ...to, kind: media, fileName, lessonId: lesson }),
      );
      expect(refused).toEqual({ status: 400, said: expect.stringMatching(words) });
      const { uploads, [media]: found } = await mediaOf(lesson);
      expect(found.key).toBeNull();
      expect(uploads).toMatchObject([{ state: "refused", reason: refused.said, fileName }]);
      expect(remains()).toEqual([]);
      // Asked again, it says the same.
      const again = finishUpload(site.services, { uploadId: uploads[0]?.id ?? "", userId: null });
      await expect(again).rejects.toThrow(refused.said);
    },
  );

  test.each<[string, Partial<Uploading>, number, RegExp]>([
    ["another kind of file", { fileName: "page.html" }, 400, /^Choose an MP4/],
    ["no ending", { fileName: "film" }, 400, /^Choose an MP4/],
    ["audio for the video", { fileName: "sound.mp3" }, 400, /^Choose an MP4/],
    ["a video for the audio", { kind: "audio", fileName: "film.mp4" }, 400, /^Choose an MP3/],
    ["no module", { moduleId: newId() }, 400, /^Choose a module/],
    ["what is no module", { moduleId: "none" }, 400, /^Choose a module/],
    ["what is no lesson", { lessonId: "1" }, 400, /^It is not clear which lesson/],
    ["a name of blanks", { fileName: "  " }, 400, /^This file has no name/],
  ])("%s is refused before a byte is sent", async (_, wrong, status, words) => {
    const refused = await beginUpload({ ...to, ...wrong }, 1000);
    expect({ status: refused.status, said: await refused.text() }).toEqual({
      status,
      said: expect.stringMatching(words),
    });
  });

  test("what is too large or empty is refused before a byte is sent", async () => {
    const large = await beginUpload(to, 50_000_001);
    expect(large.status).toBe(413);
    expect(await large.text()).toBe("This file is too large (50 MB). Up to 50 MB can be uploaded.");
    const empty = await beginUpload(to, 0);
    expect({ status: empty.status, said: await empty.text() }).toEqual({
      status: 400,
      said: "This file is empty. Choose another one.",
    });
  });

  test("a deleted module takes nothing", async () => {
    const moduleId = course.modules[1]?.id ?? "";
    const { db, clock } = site.services;
    await db.write
      .updateTable("modules")
      .set({ deletedAt: clock.now() })
      .where("id", "=", moduleId)
      .execute();
    const refused = await beginUpload({ ...to, moduleId }, 1000);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/^This module was deleted/);
  });

  test("where it went is said without a host, whatever stands in front", async () => {
    const begun = await beginUpload(to, 1000, {
      "x-forwarded-host": "elsewhere.example",
      "x-forwarded-proto": "https",
    });
    expect(begun.status).toBe(201);
    expect(begun.headers.get("location")).toMatch(/^\/uploads\/[0-9a-f-]{36}$/);
    expect(begun.headers.get("access-control-allow-origin")).toBe(site.services.config.appUrl);
  });

  test("another page than ours cannot begin one, nor go on", async () => {
    const stranger = { ...to, origin: "https://elsewhere.example" };
    expect((await beginUpload(stranger, 1000)).status).toBe(403);
  });

  test("cancelled, nothing stays, and it cannot go on", async () => {
    const lesson = newId();
    const begun = await beginUpload({ ...to, lessonId: lesson }, 1000);
    const address = begun.headers.get("location") ?? "";
    const headers = { cookie: to.cookie, "tus-resumable": "1.0.0" };
    await site.ask(address, {
      method: "PATCH",
      body: new Uint8Array(sampleFile("film.mp4").subarray(0, 500)),
      headers: {
        ...headers,
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
    });
    expect((await mediaOf(lesson)).uploads).toMatchObject([{ state: "open", received: 500 }]);
    expect(remains()).not.toEqual([]);
    expect((await site.ask(address, { method: "DELETE", headers })).status).toBe(204);
    expect((await mediaOf(lesson)).uploads).toEqual([]);
    expect((await site.ask(address, { method: "HEAD", headers })).status).toBe(404);
  });

  test("two of one name in one millisecond are two files", async () => {
    const { clock } = site.services;
    const now = clock.now();
    const real = clock.now;
    clock.now = () => now;
    const lessons = Array.from({ length: 5 }, () => newId());
    try {
      await Promise.all(
        lessons.map((lesson) => upload(sampleFile("film.mp4"), { ...to, lessonId: lesson })),
      );
    } finally {
      clock.now = real;
    }
    const keys = await Promise.all(lessons.map(async (id) => (await mediaOf(id)).video.key));
    expect(new Set(keys).size).toBe(5);
    expect(keys).not.toContain(null);
  });

  test("the upload that was begun last is the lesson's, whichever ends last", async () => {
    const lesson = lessonId(1);
    const first = await beginUpload({ ...to, lessonId: lesson }, sampleFile("film.mp4").length);
    await upload(sampleFile("mute.mp4"), { ...to, lessonId: lesson, fileName: "new.mp4" });
    const uploadUrl = new URL(first.headers.get("location") ?? "", site.url).href;
    await upload(sampleFile("film.mp4"), { ...to, lessonId: lesson }, { uploadUrl });
    expect((await mediaOf(lesson)).video.file?.fileName).toBe("new.mp4");
  });

  test("finishing twice, and many times at once, is finishing once", async () => {
    const lesson = lessonId(2);
    const uploadId = await upload(sampleFile("film.mp4"), { ...to, lessonId: lesson });
    const { db } = site.services;
    // As a crash leaves it between the bytes and what is written down of them.
    await db.write.deleteFrom("mediaFiles").where("id", "=", uploadId).execute();
    await db.write
      .updateTable("lessons")
      .set({ muxPlaybackId: null })
      .where("id", "=", lesson)
      .execute();
    await db.write
      .updateTable("uploads")
      .set({ finishedAt: null })
      .where("id", "=", uploadId)
      .execute();
    const done = await Promise.all(
      Array.from({ length: 8 }, () => finishUpload(site.services, { uploadId, userId: null })),
    );
    expect(new Set(done.map(({ file }) => file.id))).toEqual(new Set([uploadId]));
    expect((await mediaOf(lesson)).video.file?.id).toBe(uploadId);
    expect(await stored("video", done[0]?.file.key ?? "")).toEqual(sampleFile("film.mp4"));
  });

  test("what is not all there cannot be finished", async () => {
    const begun = await beginUpload(to, 1000);
    const uploadId = begun.headers.get("location")?.split("/").at(-1) ?? "";
    const early = finishUpload(site.services, { uploadId, userId: null });
    await expect(early).rejects.toMatchObject({ code: "conflict" });
    const none = finishUpload(site.services, { uploadId: newId(), userId: null });
    await expect(none).rejects.toMatchObject({ code: "not_found" });
  });

  test("a finished one cannot be cancelled", async () => {
    const lesson = newId();
    const uploadId = await upload(sampleFile("film.mp4"), { ...to, lessonId: lesson });
    const headers = { cookie: to.cookie, "tus-resumable": "1.0.0" };
    const answer = await site.ask(`/uploads/${uploadId}`, { method: "DELETE", headers });
    expect(answer.status).toBe(400);
    expect(await stored("video", (await mediaOf(lesson)).video.key)).toEqual(
      sampleFile("film.mp4"),
    );
  });

  test("a lesson saved or deleted meanwhile gets its file all the same", async () => {
    const { db, clock } = site.services;
    const [saved, deleted] = [lessonId(3), lessonId(4)];
    const film = sampleFile("film.mp4");
    const begun = await Promise.all(
      [saved, deleted].map((lesson) => beginUpload({ ...to, lessonId: lesson }, film.length)),
    );
    await db.write
      .updateTable("lessons")
      .set(({ eb }) => ({ title: "Saved meanwhile", revision: eb("revision", "+", 1) }))
      .where("id", "=", saved)
      .execute();
    await db.write
      .updateTable("lessons")
      .set({ deletedAt: clock.now() })
      .where("id", "=", deleted)
      .execute();
    for (const answer of begun) {
      const uploadUrl = new URL(answer.headers.get("location") ?? "", site.url).href;
      await upload(film, to, { uploadUrl });
    }
    const rows = await db.read
      .selectFrom("lessons")
      .select(["title", "revision", "muxPlaybackId"])
      .where("id", "in", [saved, deleted])
      .execute();
    for (const { muxPlaybackId } of rows)
      expect(await stored("video", muxPlaybackId)).toEqual(film);
    expect(rows).toContainEqual(expect.objectContaining({ title: "Saved meanwhile", revision: 2 }));
  });

  test("what was uploaded before a lesson is saved is taken over when it is, unless it was taken out", async () => {
    const { db, clock } = site.services;
    const lesson = newId();
    await upload(sampleFile("film.mp4"), { ...to, lessonId: lesson });
    await upload(sampleFile("mute.mp4"), { ...to, lessonId: lesson, fileName: "new.mp4" });
    await upload(sampleFile("sound.mp3"), {
      ...to,
      kind: "audio",
      fileName: "a.mp3",
      lessonId: lesson,
    });
    const { key = "" } = (await mediaOf(lesson)).audio.file ?? {};
    await detachMedia(site.services, { lessonId: lesson, kind: "audio", key });
    expect((await mediaOf(lesson)).audio.key).toBeNull();
    const media = await db.transaction((trx) => attachMedia(trx, lesson));
    expect(media.audioKey).toBeNull();
    expect(media.muxPlaybackId).toBe((await mediaOf(lesson)).video.key);
    expect(media.muxPlaybackId).toMatch(/new\.mp4$/);
    // From then on the lesson itself says what it has.
    const row = await prepareLesson({
      ...{ moduleId: to.moduleId, title: "A", slug: newId(), orderNum: 1, dripDay: 0, content: "" },
      ...{ prompts: null, ...media },
    });
    const id = await insertLesson(db.write, row, clock.now());
    expect((await mediaOf(id)).video.file?.fileName).toBe("new.mp4");
    await detachMedia(site.services, { lessonId: id, kind: "video", key: row.muxPlaybackId ?? "" });
    expect((await mediaOf(id)).video).toMatchObject({ key: null, file: null });
  });
});
