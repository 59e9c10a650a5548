import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { buckets } from "~/platform/storage/storage.ts";
import { findUpload } from "~/platform/uploads/rows.ts";
import { temporaryFolder } from "../../support/config.ts";
import { openTestServices } from "../../support/services.ts";
import {
  announce,
  askUpload,
  filmOf,
  refusalOf,
  sampleFile,
  startUploadSite,
  type UploadSite,
  unfinish,
  upload,
} from "../../support/uploads.ts";

describe.each(["local", "s3"] as const)("the cleanup of media, %s", (kind) => {
  let site: UploadSite;
  let to: UploadSite["to"];
  // Each its own: what one test's clock has seen is old, another's is new.
  beforeEach(async () => {
    site = await startUploadSite(kind);
    to = site.to;
    await cleanUp();
  });
  afterEach(() => site.close());

  const film = sampleFile("film.mp4");
  /** Two machines do it at once. */
  async function cleanUp(days = 0) {
    site.clock.forwardDays(days);
    await Promise.all([cleanUpMedia.run(site.services), cleanUpMedia.run(site.services)]);
  }
  /** Which of these files there are. */
  const thereOf = (keys: string[], bucket: (typeof buckets)[number] = "course-videos") =>
    Promise.all(keys.map(async (key) => (await site.services.storage.find(bucket, key)) !== null));
  const opened = async () => (await site.panel()).video.uploads;
  const send = async (address: string, offset: number, bytes: Uint8Array | ReadableStream) => {
    const body = bytes instanceof Uint8Array ? new Uint8Array(bytes) : bytes;
    return (await askUpload("PATCH", to, address, { offset, body })).status;
  };

  describe("deletes a file that no lesson uses after seven days", () => {
    test("when it was replaced or removed, counted from its last use", async () => {
      await upload(film, to);
      const before = await site.keyOf();
      await upload(film, to);
      const after = await site.keyOf();
      const thereNow = () => thereOf([before, after]);
      await cleanUp();
      await cleanUp(6.9);
      expect(await thereNow()).toEqual([true, true]);
      await cleanUp(0.2);
      expect(await thereNow()).toEqual([false, true]);
      await cleanUp(40);
      await site.setLesson({ muxPlaybackId: null });
      await cleanUp();
      await cleanUp(6);
      await site.setLesson({ muxPlaybackId: after });
      await cleanUp(2);
      await site.setLesson({ muxPlaybackId: null });
      await cleanUp(2);
      await cleanUp(6);
      expect(await thereNow()).toEqual([false, true]);
      await cleanUp(2);
      expect(await thereNow()).toEqual([false, false]);
    });

    test("once a deleted lesson cannot be restored any more", async () => {
      await upload(film, to);
      const key = await site.keyOf();
      await site.setLesson({ deletedAt: site.clock.now() });
      for (const days of [0, 29.9, 0.2, 6.9]) await cleanUp(days);
      expect(await thereOf([key])).toEqual([true]);
      await cleanUp(0.2);
      expect(await thereOf([key])).toEqual([false]);
    });

    test("once an unsaved lesson is no longer being written", async () => {
      const lessonId = newId();
      await upload(film, { ...to, lessonId });
      const key = await site.keyOf(lessonId);
      const { db } = site.services;
      const now = site.clock.now();
      const { id: userId } = await db.read
        .selectFrom("profiles")
        .select("id")
        .executeTakeFirstOrThrow();
      const draft = { id: newId(), userId, lessonId, baseRevision: 0, revision: 1, content: "{}" };
      await db.write
        .insertInto("drafts")
        .values({ ...draft, kind: "lesson", createdAt: now, updatedAt: now })
        .execute();
      await cleanUp();
      await cleanUp(30);
      expect(await thereOf([key])).toEqual([true]);
      await db.write.deleteFrom("drafts").where("lessonId", "=", lessonId).execute();
      await cleanUp();
      await cleanUp(7.1);
      expect(await thereOf([key])).toEqual([false]);
    });
  });

  describe("deletes an upload seven days after its last byte", () => {
    test("with its bytes, and a refused one", async () => {
      const address = await announce(to, 1000);
      await send(address, 0, new Uint8Array(400));
      await refusalOf(upload(Buffer.from("a page"), to));
      await cleanUp(6.9);
      expect((await opened()).map(({ reason }) => reason === null)).toEqual([false, true]);
      const { headers } = await askUpload("HEAD", to, address);
      expect(headers.get("upload-offset")).toBe("400");
      await cleanUp(0.2);
      expect(await opened()).toEqual([]);
      expect((await askUpload("HEAD", to, address)).status).toBe(404);
      expect(site.remains()).toEqual([]);
    });

    test("counted from the last piece; an older upload never replaces a newer file", async () => {
      const long = filmOf(3000 + film.length);
      const address = await announce(to, long.length);
      await upload(film, { ...to, fileName: "new.mp4" });
      const key = await site.keyOf();
      expect(await send(address, 0, long.subarray(0, 1000))).toBe(204);
      await cleanUp(6);
      expect(await send(address, 1000, long.subarray(1000, 2000))).toBe(204);
      await cleanUp(6.9);
      expect(await opened()).toMatchObject([{ received: 2000 }]);
      expect(await send(address, 2000, long.subarray(2000))).toBe(204);
      expect(await opened()).toEqual([]);
      expect(await site.keyOf()).toBe(key);
    });

    test("but not one that is being sent, however long that takes", async () => {
      const long = filmOf(25_000_000);
      const address = await announce(to, long.length);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const answered = send(address, 0, readable);
      const line = writable.getWriter();
      const arrived = async () => (await opened())[0]?.received ?? 0;
      for (const from of [0, 9_000_000]) {
        await line.write(long.subarray(from, from + 9_000_000));
        await expect.poll(arrived, { timeout: 20_000 }).toBeGreaterThan(from);
        if (from === 0) site.clock.forwardDays(8);
      }
      await cleanUp();
      await line.write(long.subarray(18_000_000));
      await line.close();
      expect(await answered).toBe(204);
      expect((await site.panel()).video.stored?.size).toBe(long.length);
    });

    test("which is recorded once a minute, however many pieces come", async () => {
      const address = await announce(to, 5000);
      const { clock } = site.services;
      const [now, real] = [clock.now().getTime(), clock.now];
      try {
        const noted: number[] = [];
        for (const [piece, ms] of [0, 1000, 59_999, 60_000, 60_001, 121_000].entries()) {
          clock.now = () => new Date(now + ms);
          expect(await send(address, piece * 500, new Uint8Array(500))).toBe(204);
          const row = await findUpload(site.services, address.split("/").at(-1) ?? "");
          noted.push((row?.receivedAt?.getTime() ?? 0) - now);
        }
        expect(noted).toEqual([0, 0, 0, 60_000, 60_000, 121_000]);
      } finally {
        clock.now = real;
      }
    });
  });

  test("finishes an upload that was complete when the site crashed", async () => {
    const uploadId = await upload(film, to);
    await unfinish(site.services, uploadId);
    await cleanUp();
    expect((await findUpload(site.services, uploadId))?.finishedAt).not.toBeNull();
    expect((await site.panel()).video.stored?.size).toBe(film.length);
  });

  describe("deletes what no row knows of seven days after it was noticed", () => {
    async function put(key: string) {
      const source = path.join(temporaryFolder(), "file");
      writeFileSync(source, film);
      for (const bucket of buckets) await site.services.storage.putFile(bucket, key, source);
      return key;
    }
    const strayKey = () => `${newId()}/1763000000000-stray.mp4`;

    test("files, but not what a lesson names; counted anew when they were known meanwhile", async () => {
      const keys = [await put(strayKey()), await put(strayKey()), await put(strayKey())];
      const [, named = "", known = ""] = keys;
      await site.setLesson({ muxPlaybackId: named, deletedAt: site.clock.now() });
      // No cleanup for a year: how old a file is does not matter.
      await cleanUp(365);
      await cleanUp(6.9);
      expect(await thereOf(keys)).toEqual([true, true, true]);
      const { write } = site.services.db;
      const file = { id: newId(), bucket: "course-videos", key: known, fileName: "a.mp4", size: 1 };
      await write
        .insertInto("mediaFiles")
        .values({ ...file, contentType: "", createdAt: site.clock.now() })
        .execute();
      await cleanUp(0.2);
      expect(await thereOf(keys)).toEqual([false, true, true]);
      expect(await thereOf(keys, "course-audio")).toEqual([false, false, false]);
      await write.deleteFrom("mediaFiles").where("id", "=", file.id).execute();
      await cleanUp();
      await cleanUp(6.9);
      expect(await thereOf(keys)).toEqual([false, true, true]);
      await cleanUp(60);
      expect(await thereOf(keys)).toEqual([false, true, false]);
    });

    test("pictures, whose row went before their files did", async () => {
      const { db, clock } = site.services;
      const [inLesson, isPublic, gone] = [newId(), newId(), newId()];
      const hashOf = (id: string) => id.replaceAll("-", "");
      for (const id of [inLesson, isPublic])
        await db.write
          .insertInto("pictures")
          .values({
            ...{ id, hash: hashOf(id), lessonId: id === inLesson ? newId() : null },
            ...{ width: 480, height: 320, widths: "[480]", createdAt: clock.now() },
          })
          .execute();
      const used = [`lesson/${inLesson}-480.webp`, `public/${hashOf(isPublic)}-card.jpg`];
      const strays = [`lesson/${gone}-480.webp`, `public/${hashOf(gone)}-card.jpg`];
      for (const key of [...used, ...strays]) await put(key);
      await cleanUp();
      await cleanUp(6.9);
      expect(await thereOf(strays, "pictures")).toEqual([true, true]);
      await cleanUp(0.2);
      expect(await thereOf(strays, "pictures")).toEqual([false, false]);
      await cleanUp(60);
      expect(await thereOf(used, "pictures")).toEqual([true, true]);
    });

    test("never samples, nor what others keep there", async () => {
      const foreign = [
        "samples/tidy.mp4",
        "backup/2026-11-01.tar",
        "readme.txt",
        `${newId()}/film.mp4`,
        `archive/${strayKey()}`,
        "uploads/holiday/1.jpg",
        `uploads/${newId()}/holiday.jpg`,
      ];
      for (const key of foreign) await put(key);
      for (const days of [0, 8, 8, 60]) await cleanUp(days);
      expect(await thereOf(foreign)).toEqual(foreign.map(() => true));
    });

    test("never in storage that belongs to another database", async () => {
      const key = await put(strayKey());
      const folder = temporaryFolder();
      const other = await openTestServices({ ...site.s3?.env, DATA_DIR: folder });
      symlinkSync(path.join(site.services.config.dataDir, "media"), path.join(folder, "media"));
      try {
        const warnings: unknown[] = [];
        const log = Object.create(other.services.log, {
          warn: { value: (...said: unknown[]) => warnings.push(said) },
        });
        for (const days of [0, 8, 8, 60]) {
          other.clock.forwardDays(days);
          await cleanUpMedia.run({ ...other.services, log });
        }
        expect(warnings).toHaveLength(4);
        expect(await thereOf([key])).toEqual([true]);
      } finally {
        await other.close();
      }
    });

    test.runIf(kind === "s3")("uploads in parts, and the rest of a broken one", async () => {
      await announce({ ...to, fileName: "a.mp4" }, 1000);
      await announce({ ...to, kind: "audio", fileName: "a.mp3" }, 1000);
      await site.services.db.write.deleteFrom("uploads").execute();
      const tail = await put(`uploads/${newId()}/0`);
      await cleanUp();
      await cleanUp(6.9);
      // Two uploads in parts, and the rest in each bucket of uploads.
      expect(site.remains()).toHaveLength(5);
      await cleanUp(0.2);
      expect(site.remains()).toEqual([]);
      expect(await thereOf([tail])).toEqual([false]);
    });

    test.runIf(kind === "local")("more files of a folder than a query takes values", async () => {
      const folder = path.join(site.services.config.dataDir, "media", "course-videos", newId());
      mkdirSync(folder, { recursive: true });
      for (let n = 0; n < 17_000; n += 1) writeFileSync(path.join(folder, `${n}-stray.mp4`), "");
      await cleanUpMedia.run(site.services);
      site.clock.forwardDays(7.1);
      await cleanUpMedia.run(site.services);
      expect(readdirSync(folder)).toEqual([]);
    });

    test.runIf(kind === "local")("the bytes of uploads", async () => {
      const folder = path.join(site.services.config.dataDir, "uploads");
      mkdirSync(folder, { recursive: true });
      const files = [path.join(folder, newId()), path.join(folder, "notes.txt")];
      for (const file of files) writeFileSync(file, "some bytes");
      await cleanUp();
      await cleanUp(6.9);
      expect(files.map(existsSync)).toEqual([true, true]);
      await cleanUp(0.2);
      expect(files.map(existsSync)).toEqual([false, true]);
    });
  });
});
