import type { ExpressionBuilder } from "kysely";
import { isId } from "~/platform/db/ids.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { ownsStorage } from "~/platform/storage/owner.ts";
import { type Bucket, buckets } from "~/platform/storage/storage.ts";
import type { StoredBytes } from "~/platform/uploads/bytes.ts";
import { forgetUpload, type UploadRow } from "~/platform/uploads/rows.ts";
import {
  forgetStrayFiles,
  forgetStrayFilesBefore,
  recordStrayFiles,
} from "~/platform/uploads/strays.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { restorableDays, unusedMediaDays } from "./messages.ts";
import { isMediaKey } from "./rules.ts";
import { announcedSince, finishUpload } from "./uploads.server.ts";

const dayMs = 24 * 3600_000;
/** Finishes uploads that a crash left unchecked; deletes idle uploads, files that no lesson has
 * used for some days, and unknown bytes. Concurrent runs are safe, and so is a stop at any step. */
export const cleanUpMedia: RegularTask = {
  name: "media.tidy",
  async run(services) {
    await tidyUploads(services);
    await noteUse(services);
    await removeUnused(services);
    await removeStrays(services);
  },
};

async function tidyUploads(services: Services) {
  const { db, uploads, log } = services;
  const rows = (await db.read.selectFrom("uploads").selectAll().execute()) as UploadRow[];
  const old = daysAgo(services, unusedMediaDays);
  const idle = { since: old, announcedSince: announcedSince(services) };
  for (const row of rows) {
    if (row.finishedAt) await forgetFinished(services, row, old);
    else if (row.refusedAt) {
      if (row.refusedAt < old && (await forgetUpload(services, row.id))) await uploads.discard(row);
    } else if ((await uploads.received(row)) === row.size)
      await finishUpload(services, { uploadId: row.id, userId: null }).catch((err: unknown) => {
        if (!(err instanceof Refused)) log.error({ err, upload: row.id }, "not finished");
      });
    else if (await forgetUpload(services, row.id, { idle })) await uploads.discard(row);
  }
}

async function forgetFinished({ db }: Services, { id, finishedAt }: UploadRow, before: Date) {
  if (finishedAt && finishedAt < before)
    await db.write.deleteFrom("uploads").where("id", "=", id).execute();
}

/** Used by a lesson not deleted for good, or by one still being written that will take it over. */
function isUsed(eb: ExpressionBuilder<Tables, "mediaFiles">, restorable: Date) {
  const { or, and, exists, selectFrom, not } = eb;
  const named = selectFrom("lessons")
    .select("lessons.id")
    .where(({ or: either, eb: lesson }) =>
      either([lesson("deletedAt", "is", null), lesson("deletedAt", ">", restorable)]),
    )
    .where(({ or: either, and: both, eb: lesson, ref }) =>
      either([
        both([
          lesson("lessons.muxPlaybackId", "=", ref("mediaFiles.key")),
          lesson(ref("mediaFiles.bucket"), "=", "course-videos"),
        ]),
        both([
          lesson("lessons.audioKey", "=", ref("mediaFiles.key")),
          lesson(ref("mediaFiles.bucket"), "=", "course-audio"),
        ]),
      ]),
    );
  const beingWritten = selectFrom("drafts")
    .select("drafts.lessonId")
    .where("drafts.kind", "=", "lesson")
    .where("drafts.discardedAt", "is", null)
    .whereRef("drafts.lessonId", "=", "mediaFiles.lessonId");
  const saved = selectFrom("lessons")
    .select("lessons.id")
    .whereRef("lessons.id", "=", "mediaFiles.lessonId");
  return or([exists(named), and([exists(beingWritten), not(exists(saved))])]);
}

async function noteUse(services: Services) {
  const { db, clock } = services;
  const restorable = daysAgo(services, restorableDays);
  await db.write
    .updateTable("mediaFiles")
    .set({ unusedSinceAt: null })
    .where("unusedSinceAt", "is not", null)
    .where((eb) => isUsed(eb, restorable))
    .execute();
  await db.write
    .updateTable("mediaFiles")
    .set({ unusedSinceAt: clock.now() })
    .where("unusedSinceAt", "is", null)
    .where((eb) => eb.not(isUsed(eb, restorable)))
    .execute();
}

async function removeUnused(services: Services) {
  const { db, storage, log } = services;
  const removed = await db.write
    .deleteFrom("mediaFiles")
    .where("unusedSinceAt", "<", daysAgo(services, unusedMediaDays))
    .where((eb) => eb.not(isUsed(eb, daysAgo(services, restorableDays))))
    .returning(["bucket", "key"])
    .execute();
  // A crash here leaves a stray file.
  for (const { bucket, key } of removed) await storage.remove(bucket as Bucket, key);
  if (removed.length > 0) log.info({ files: removed.length }, "unused media removed");
}

/** Deletes only what this database noticed some days ago, in storage that it owns: a restored or
 * new database does not know files that belong to another one. */
async function removeStrays(services: Services) {
  const { uploads, log } = services;
  if (!(await ownsStorage(services))) return;
  let removed = 0;
  for await (const portion of uploads.everything()) {
    const unknown = new Set(await unknownOf(services, portion.filter(isOfUploads)));
    const known = portion.filter((stored) => !unknown.has(stored));
    await forgetStrayFiles(services, known);
    const old = await recordStrayFiles(services, [...unknown], daysAgo(services, unusedMediaDays));
    for (const stored of old) await uploads.sweep(stored);
    await forgetStrayFiles(services, old);
    removed += old.length;
  }
  await forgetStrayFilesBefore(services, daysAgo(services, 2 * unusedMediaDays));
  if (removed > 0) log.info({ files: removed }, "media that nothing knew of removed");
}

/** Everything else in storage, such as the sample courses, was put there by others and stays. */
function isOfUploads(stored: StoredBytes): boolean {
  if (stored.what === "part") return isId(stored.uploadId);
  return isMediaKey(stored.key) || (stored.what === "file" && isId(stored.uploadId));
}

/** Those that no upload, file or lesson names, deleted ones included. */
async function unknownOf({ db }: Services, all: StoredBytes[]): Promise<StoredBytes[]> {
  if (all.length === 0) return [];
  const uploads = await db.write
    .selectFrom("uploads")
    .select(["id", "bucket", "key"])
    .where("finishedAt", "is", null)
    .execute();
  const going = new Set(uploads.map(({ id }) => id));
  const known = new Set(uploads.map(({ bucket, key }) => `${bucket} ${key}`));
  for (const bucket of buckets) {
    const keys = all.flatMap((stored) =>
      stored.what !== "part" && stored.bucket === bucket ? [stored.key] : [],
    );
    for (const key of await namedOf(db.write, bucket, keys)) known.add(`${bucket} ${key}`);
  }
  return all.filter((stored) => {
    if (stored.what === "part") return !going.has(stored.uploadId);
    if (stored.what === "file" && stored.uploadId) return !going.has(stored.uploadId);
    return !known.has(`${stored.bucket} ${stored.key}`);
  });
}

async function namedOf(db: Services["db"]["write"], bucket: Bucket, keys: string[]) {
  const named: string[] = [];
  const column = bucket === "course-videos" ? "muxPlaybackId" : "audioKey";
  for (let from = 0; from < keys.length; from += 500) {
    const some = keys.slice(from, from + 500);
    const files = await db
      .selectFrom("mediaFiles")
      .select("key")
      .where("bucket", "=", bucket)
      .where("key", "in", some)
      .execute();
    const lessons = await db
      .selectFrom("lessons")
      .select(`${column} as key`)
      .where(column, "in", some)
      .execute();
    for (const { key } of [...files, ...lessons]) if (key) named.push(key);
  }
  return named;
}

function daysAgo({ clock }: Services, days: number): Date {
  return new Date(clock.now().getTime() - days * dayMs);
}
