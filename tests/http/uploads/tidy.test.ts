import { existsSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { listLessonMedia } from "~/features/lesson-media/media.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { findUpload } from "~/platform/uploads/rows.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
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

describe.each(["local", "s3"] as const)("tidying storage, %s", (kind) => {
  let s3: S3Server | null = null;
  let site: TestSite;
  let coach: Person;
  let to: Uploading & { lessonId: string };

  // Each its own: what one test's clock has seen is old, another's is new.
  beforeEach(async () => {
    if (kind === "s3") s3 = await startS3();
    site = await startSite(s3?.env);
    coach = await createPerson(site.services, { role: "admin" });
    const course = await createCourse(site.services, [[{}]]);
    to = {
      url: site.url,
      cookie: await site.cookieOf(coach),
      origin: site.services.config.appUrl,
      moduleId: course.modules[0]?.id ?? "",
      lessonId: course.modules[0]?.lessons[0]?.id ?? "",
    };
  });

  afterEach(async () => {
    await site?.close();
    await s3?.close();
  });

  const film = sampleFile("film.mp4");
  /** Two machines do it at once. */
  async function tidy(days = 0) {
    site.clock.forwardDays(days);
    await Promise.all([cleanUpMedia.run(site.services), cleanUpMedia.run(site.services)]);
  }
  const keyOf = async (lessonId: string) =>
    (await listLessonMedia(site.services, lessonId)).video.key ?? "";
  const isThere = async (key: string, bucket: Bucket = "course-videos") =>
    (await site.services.storage.find(bucket, key)) !== null;
  const setLesson = (values: { deletedAt?: Date; muxPlaybackId?: string | null }) =>
    site.services.db.write
      .updateTable("lessons")
      .set(values)
      .where("id", "=", to.lessonId)
      .execute();

  test("a replaced file goes seven days after it was seen unused; the lesson's stays", async () => {
    await upload(film, to);
    const before = await keyOf(to.lessonId);
    await upload(film, to);
    const after = await keyOf(to.lessonId);
    await tidy();
    await tidy(6.9);
    expect([await isThere(before), await isThere(after)]).toEqual([true, true]);
    await tidy(0.2);
    expect([await isThere(before), await isThere(after)]).toEqual([false, true]);
    await tidy(40);
    expect(await isThere(after)).toBe(true);
  });

  test("one that is used again is kept, and its days begin anew", async () => {
    await upload(film, to);
    const key = await keyOf(to.lessonId);
    await setLesson({ muxPlaybackId: null });
    await tidy();
    await tidy(6);
    await setLesson({ muxPlaybackId: key });
    await tidy(2);
    await setLesson({ muxPlaybackId: null });
    await tidy(2);
    await tidy(6);
    expect(await isThere(key)).toBe(true);
    await tidy(2);
    expect(await isThere(key)).toBe(false);
  });

  test("a deleted lesson keeps its file as long as it can be restored, and seven days", async () => {
    await upload(film, to);
    const key = await keyOf(to.lessonId);
    await setLesson({ deletedAt: site.clock.now() });
    await tidy();
    await tidy(29.9);
    await tidy(0.2);
    await tidy(6.9);
    expect(await isThere(key)).toBe(true);
    await tidy(0.2);
    expect(await isThere(key)).toBe(false);
  });

  test("what was uploaded for a lesson that is still being written stays as long as it is", async () => {
    const lessonId = newId();
    await upload(film, { ...to, lessonId });
    const key = await keyOf(lessonId);
    const now = site.clock.now();
    const draft = {
      id: newId(),
      userId: coach.id,
      lessonId,
      baseRevision: 0,
      revision: 1,
      kind: "lesson" as const,
      content: "{}",
    };
    await site.services.db.write
      .insertInto("drafts")
      .values({ ...draft, createdAt: now, updatedAt: now })
      .execute();
    await tidy();
    await tidy(30);
    expect(await isThere(key)).toBe(true);
    await site.services.db.write.deleteFrom("drafts").where("lessonId", "=", lessonId).execute();
    await tidy();
    await tidy(7.1);
    expect(await isThere(key)).toBe(false);
  });

  test("an upload that nobody goes on with is forgotten after seven days, and one refused", async () => {
    const begun = await beginUpload(to, 1000);
    const address = begun.headers.get("location") ?? "";
    const headers = { cookie: to.cookie, "tus-resumable": "1.0.0" };
    await site.ask(address, {
      method: "PATCH",
      body: new Uint8Array(400),
      headers: {
        ...headers,
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
    });
    await refusalOf(upload(Buffer.from("a page"), to));
    const states = async () =>
      (await listLessonMedia(site.services, to.lessonId)).uploads.map(({ state }) => state).sort();
    await tidy(6.9);
    expect(await states()).toEqual(["open", "refused"]);
    expect(
      (await site.ask(address, { method: "HEAD", headers })).headers.get("upload-offset"),
    ).toBe("400");
    await tidy(0.2);
    expect(await states()).toEqual([]);
    expect((await site.ask(address, { method: "HEAD", headers })).status).toBe(404);
    if (s3) expect(s3.contents("test-course-videos")?.uploads).toBe(0);
    else {
      const part = path.join(site.services.config.dataDir, address);
      expect(existsSync(part)).toBe(false);
    }
  });

  /** Sends a body from so many bytes on. @returns the answer's status */
  async function send(address: string, offset: number, bytes: Uint8Array | ReadableStream) {
    const headers = {
      cookie: to.cookie,
      origin: to.origin,
      "tus-resumable": "1.0.0",
      "upload-offset": String(offset),
      "content-type": "application/offset+octet-stream",
    };
    const body = bytes instanceof Uint8Array ? new Uint8Array(bytes) : bytes;
    const asking = { method: "PATCH", body, headers, duplex: "half" } as RequestInit;
    return (await fetch(new URL(address, site.url), asking)).status;
  }
  const opened = async () => (await listLessonMedia(site.services, to.lessonId)).uploads;

  test("the seven days of an upload begin anew with each piece of it", async () => {
    const long = filmOf(3000 + film.length);
    const address = (await beginUpload(to, long.length)).headers.get("location") ?? "";
    expect(await send(address, 0, long.subarray(0, 1000))).toBe(204);
    await tidy(6);
    expect(await send(address, 1000, long.subarray(1000, 2000))).toBe(204);
    await tidy(6.9);
    expect(await opened()).toMatchObject([{ state: "open", received: 2000 }]);
    expect(await send(address, 2000, long.subarray(2000))).toBe(204);
    expect(await isThere(await keyOf(to.lessonId))).toBe(true);
    const idle = (await beginUpload(to, 3000)).headers.get("location") ?? "";
    expect(await send(idle, 0, new Uint8Array(1000))).toBe(204);
    await tidy(7.1);
    expect(await opened()).toEqual([]);
  });

  test("an upload begun before the lesson's file does not take its place, weeks later either", async () => {
    const long = filmOf(1000 + film.length);
    const address = (await beginUpload(to, long.length)).headers.get("location") ?? "";
    await upload(film, { ...to, fileName: "new.mp4" });
    const key = await keyOf(to.lessonId);
    expect(await send(address, 0, long.subarray(0, 500))).toBe(204);
    await tidy(6);
    expect(await send(address, 500, long.subarray(500, 1000))).toBe(204);
    await tidy(3);
    expect(await send(address, 1000, long.subarray(1000))).toBe(204);
    expect(await opened()).toEqual([]);
    expect(await keyOf(to.lessonId)).toBe(key);
  });

  test("that bytes come is written down once a minute, however many pieces they come in", async () => {
    const address = (await beginUpload(to, 5000)).headers.get("location") ?? "";
    const receivedAt = async () =>
      (await findUpload(site.services, address.split("/").at(-1) ?? ""))?.receivedAt?.getTime();
    const now = site.clock.now().getTime();
    const { clock } = site.services;
    const real = clock.now;
    let ahead = 0;
    clock.now = () => new Date(now + ahead);
    try {
      const noted: (number | undefined)[] = [];
      for (const [piece, ms] of [0, 1000, 59_999, 60_000, 60_001, 121_000].entries()) {
        ahead = ms;
        expect(await send(address, piece * 500, new Uint8Array(500))).toBe(204);
        noted.push(((await receivedAt()) ?? 0) - now);
      }
      expect(noted).toEqual([0, 0, 0, 60_000, 60_000, 121_000]);
    } finally {
      clock.now = real;
    }
  });

  test("an upload that is being sent stays, however long that takes", async () => {
    const long = filmOf(25_000_000);
    const address = (await beginUpload(to, long.length)).headers.get("location") ?? "";
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const answered = send(address, 0, readable);
    const line = writable.getWriter();
    const arrived = async () => (await opened())[0]?.received ?? 0;
    for (const [from, to$] of [
      [0, 9_000_000],
      [9_000_000, 18_000_000],
    ] as const) {
      await line.write(long.subarray(from, to$));
      await expect.poll(arrived, { timeout: 20_000 }).toBeGreaterThan(from);
      if (from === 0) site.clock.forwardDays(8);
    }
    await tidy();
    await line.write(long.subarray(18_000_000));
    await line.close();
    expect(await answered).toBe(204);
    expect((await listLessonMedia(site.services, to.lessonId)).video.file?.size).toBe(long.length);
  });

  test("an upload that was complete when the site crashed is finished", async () => {
    const uploadId = await upload(film, to);
    const { write } = site.services.db;
    await write.deleteFrom("mediaFiles").where("id", "=", uploadId).execute();
    await write
      .updateTable("uploads")
      .set({ finishedAt: null })
      .where("id", "=", uploadId)
      .execute();
    await setLesson({ muxPlaybackId: null });
    await tidy();
    const { video, uploads } = await listLessonMedia(site.services, to.lessonId);
    expect(video.file).toMatchObject({ id: uploadId, size: film.length });
    expect(uploads).toEqual([]);
  });
});
