import { type ExpressionBuilder, sql } from "kysely";
import { isId } from "~/platform/db/ids.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { nameInKey, pictureKeys, shareCardKey } from "~/platform/pictures/keys.ts";
import { ownsStorage } from "~/platform/storage/owner.ts";
import {
  type Bucket,
  recordingHash,
  recordingKey,
  sealedBucket,
  sealedKey,
} from "~/platform/storage/storage.ts";
import type { StoredBytes } from "~/platform/uploads/bytes.ts";
import { forgetUpload, type UploadRow } from "~/platform/uploads/rows.ts";
import {
  mediaBuckets,
  restorableDays,
  unusedMediaDays,
  uploadBuckets,
  uploadKinds,
} from "./messages.ts";
import { isMediaKey } from "./rules.ts";
import { announcedSince, columnOf, finishArrived } from "./uploads.server.ts";

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
  const { db, uploads } = services;
  const rows = (await db.read.selectFrom("uploads").selectAll().execute()) as UploadRow[];
  const old = daysAgo(services, unusedMediaDays);
  const idle = { since: old, announcedSince: announcedSince(services) };
  await db.write.deleteFrom("uploads").where("finishedAt", "<", old).execute();
  for (const row of rows.filter(({ finishedAt }) => !finishedAt))
    if (row.refusedAt) {
      if (row.refusedAt < old && (await forgetUpload(services, row.id))) await uploads.discard(row);
    } else if ((await uploads.received(row)) === row.size) await finishArrived(services, row.id);
    else if (await forgetUpload(services, row.id, { idle })) await uploads.discard(row);
}

/** Used by a lesson not deleted for good, or by one still being written that will take it over, or
 * made of a film that is. */
function isUsed(eb: ExpressionBuilder<Tables, "mediaFiles">, restorable: Date) {
  const { or, and, exists, selectFrom, not } = eb;
  const named = selectFrom("lessons")
    .select("lessons.id")
    .where((lesson) =>
      lesson.or([lesson("deletedAt", "is", null), lesson("deletedAt", ">", restorable)]),
    )
    .where((lesson) =>
      lesson.or(
        (["video", "audio"] as const).map((kind) =>
          lesson.and([
            lesson(`lessons.${columnOf[kind]}`, "=", lesson.ref("mediaFiles.key")),
            lesson(lesson.ref("mediaFiles.bucket"), "=", mediaBuckets[kind]),
          ]),
        ),
      ),
    );
  const draftOf = (lessonId: "mediaFiles.lessonId" | "lessonFiles.lessonId") =>
    selectFrom("drafts")
      .select("drafts.lessonId")
      .where("drafts.kind", "=", "lesson")
      .where("drafts.discardedAt", "is", null)
      .where("drafts.lessonId", "=", sql.ref<string>(lessonId));
  const saved = selectFrom("lessons")
    .select("lessons.id")
    .whereRef("lessons.id", "=", "mediaFiles.lessonId");
  const madeOf = selectFrom("mediaFiles as film")
    .select("film.id")
    .whereRef("film.id", "=", "mediaFiles.renditionOf")
    .where("film.unusedSinceAt", "is", null);
  const listed = selectFrom("lessonFiles")
    .leftJoin("lessons as owner", "owner.id", "lessonFiles.lessonId")
    .select("lessonFiles.id")
    .whereRef("lessonFiles.fileId", "=", "mediaFiles.id")
    .where((file) =>
      file.or([
        file("owner.deletedAt", ">", restorable),
        file.and([file("owner.id", "is not", null), file("owner.deletedAt", "is", null)]),
        file.and([file("owner.id", "is", null), exists(draftOf("lessonFiles.lessonId"))]),
      ]),
    );
  return or([
    exists(named),
    exists(listed),
    exists(madeOf),
    and([exists(draftOf("mediaFiles.lessonId")), not(exists(saved))]),
  ]);
}

async function noteUse(services: Services) {
  const restorable = daysAgo(services, restorableDays);
  const files = services.db.write.updateTable("mediaFiles");
  await files
    .set({ unusedSinceAt: null })
    .where("unusedSinceAt", "is not", null)
    .where((eb) => isUsed(eb, restorable))
    .execute();
  await files
    .set({ unusedSinceAt: services.clock.now() })
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
  for await (const portion of inPortions(uploads.everything())) {
    const unknown = new Set(await unknownOf(services, portion.filter(isOfUploads)));
    const known = portion.filter((stored) => !unknown.has(stored));
    await forgetStrayFiles(services, known);
    const old = await recordStrayFiles(services, [...unknown]);
    for (const stored of old) await uploads.sweep(stored);
    await forgetStrayFiles(services, old);
    removed += old.length;
  }
  // Records of files that went by themselves.
  const longAgo = daysAgo(services, 2 * unusedMediaDays);
  await services.db.write.deleteFrom("strayFiles").where("noticedAt", "<", longAgo).execute();
  if (removed > 0) log.info({ files: removed }, "media that nothing knew of removed");
}

/** Databases limit the values of a query, and a folder may hold any number of files. */
async function* inPortions(all: AsyncIterable<StoredBytes[]>): AsyncGenerator<StoredBytes[]> {
  for await (const some of all)
    for (let from = 0; from < some.length; from += 500) yield some.slice(from, from + 500);
}

function nameOf(stored: StoredBytes): string {
  if (stored.what === "part") return `part ${stored.uploadId}`;
  return `${stored.what} ${stored.bucket} ${stored.what === "file" ? stored.key : stored.multipartId}`;
}

/** Records unknown files with the time first seen. @returns those seen some days ago */
async function recordStrayFiles(services: Services, strays: StoredBytes[]): Promise<StoredBytes[]> {
  if (strays.length === 0) return [];
  const { db, clock } = services;
  const names = strays.map(nameOf);
  await db.write
    .insertInto("strayFiles")
    .values(names.map((name) => ({ name, noticedAt: clock.now() })))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const found = await db.write
    .selectFrom("strayFiles")
    .select("name")
    .where("name", "in", names)
    .where("noticedAt", "<", daysAgo(services, unusedMediaDays))
    .execute();
  const overdue = new Set(found.map(({ name }) => name));
  return strays.filter((stored) => overdue.has(nameOf(stored)));
}

/** Deletes records of files that are gone, or are known after all. */
async function forgetStrayFiles({ db }: Services, gone: StoredBytes[]): Promise<void> {
  if (gone.length === 0) return;
  await db.write.deleteFrom("strayFiles").where("name", "in", gone.map(nameOf)).execute();
}

/** Everything else in storage, such as the sample courses, was put there by others and stays. */
function isOfUploads(stored: StoredBytes): boolean {
  const uploadId = uploadOf(stored);
  if (uploadId) return isId(uploadId);
  if (stored.what === "part") return false;
  if (isMediaKey(stored.key) || sealedId(stored) !== null) return true;
  return pictureName(stored) !== null || recordingName(stored) !== null;
}

/** The upload of bytes that are not at their key yet. */
const uploadOf = (stored: StoredBytes) => (stored.what === "multipart" ? null : stored.uploadId);

/** The id of a photograph of a journal by its place in storage; null for all else. */
function sealedId(stored: StoredBytes): string | null {
  if (stored.what !== "file" || stored.bucket !== sealedBucket) return null;
  const id = stored.key.split("/").at(-1) ?? "";
  return isId(id) && sealedKey(id) === stored.key ? id : null;
}

/** The id or the hash of the picture that a file is of; null for all else. */
function pictureName(stored: StoredBytes): string | null {
  return stored.what === "file" && stored.bucket === "pictures" ? nameInKey(stored.key) : null;
}

/** The hash of the recording that a file is; null for all else. */
function recordingName(stored: StoredBytes): string | null {
  return stored.what === "file" && stored.bucket === "course-audio"
    ? recordingHash(stored.key)
    : null;
}

/** Those that no upload, file, lesson, journal, picture, recording or page names, deleted ones included. */
async function unknownOf({ db }: Services, all: StoredBytes[]): Promise<StoredBytes[]> {
  if (all.length === 0) return [];
  const uploads = await db.write
    .selectFrom("uploads")
    .select(["id", "bucket", "key"])
    .where("finishedAt", "is", null)
    .execute();
  const known = new Set(uploads.flatMap(({ id, bucket, key }) => [id, `${bucket} ${key}`]));
  for (const kind of uploadKinds) {
    const bucket = uploadBuckets[kind];
    const keys = all.flatMap((stored) =>
      stored.what !== "part" && stored.bucket === bucket ? [stored.key] : [],
    );
    if (keys.length === 0) continue;
    const files = await db.write
      .selectFrom("mediaFiles")
      .select("key")
      .where("bucket", "=", bucket)
      .where("key", "in", keys)
      .execute();
    for (const { key } of files) known.add(`${bucket} ${key}`);
    if (kind === "file") continue;
    const column = columnOf[kind];
    const lessons = await db.write
      .selectFrom("lessons")
      .select(`${column} as key`)
      .where(column, "in", keys)
      .execute();
    for (const { key } of lessons) known.add(`${bucket} ${key}`);
  }
  const sealed = all.flatMap((stored) => sealedId(stored) ?? []);
  const photographs = db.write.selectFrom("journalPictures").select("id");
  if (sealed.length > 0)
    for (const { id } of await photographs.where("id", "in", sealed).execute())
      known.add(`${sealedBucket} ${sealedKey(id)}`);
  const names = all.flatMap((stored) => pictureName(stored) ?? []);
  const pictures = db.write
    .selectFrom("pictures")
    .select(["id", "hash", "lessonId", "widths", "forEmail"]);
  const named = pictures.where(({ or, and, eb }) =>
    or([eb("id", "in", names), and([eb("lessonId", "is", null), eb("hash", "in", names)])]),
  );
  const cards = db.write.selectFrom("shareCards").select(["wanted", "name"]);
  if (names.length > 0) {
    for (const key of (await named.execute()).flatMap(pictureKeys)) known.add(`pictures ${key}`);
    for (const { wanted, name } of await cards.execute())
      for (const one of [wanted, name]) if (one) known.add(`pictures ${shareCardKey(one)}`);
  }
  const hashes = all.flatMap((stored) => recordingName(stored) ?? []);
  const recordings = db.write.selectFrom("recordings").select(["hash", "type"]);
  if (hashes.length > 0)
    for (const one of await recordings.where("hash", "in", hashes).execute())
      known.add(`course-audio ${recordingKey(one)}`);
  return all.filter((stored) => {
    const uploadId = uploadOf(stored);
    if (uploadId) return !known.has(uploadId);
    return stored.what !== "part" && !known.has(`${stored.bucket} ${stored.key}`);
  });
}

function daysAgo({ clock }: Services, days: number): Date {
  return new Date(clock.now().getTime() - days * dayMs);
}
