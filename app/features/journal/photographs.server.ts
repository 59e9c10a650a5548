import { sql } from "kysely";
import { requireOpenLesson } from "~/features/enrollments/access.server.ts";
import { sealOf } from "~/platform/crypto/person-key.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import { uncount, withinLimit } from "~/platform/db/rate-limit.ts";
import { limitConcurrency } from "~/platform/http/limits.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { makePicture } from "~/platform/pictures/make-picture.ts";
import { PictureRefused, type Refusal } from "~/platform/pictures/picture.ts";
import { putBytes } from "~/platform/storage/put-bytes.ts";
import { sealedBucket as bucket, sealedKey } from "~/platform/storage/storage.ts";
import { NoRoom, orNoRoom } from "~/platform/uploads/bytes.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { openPhotograph, photographPlace } from "./encryption.server.ts";
import { photographLimits, photographMessages } from "./photograph-messages.ts";
import type { Photograph } from "./schema.ts";

/** In pixels: handwriting stays legible, and a page takes some 300 KB. */
const recipe = { widths: [2000] };

/** Of one user's photographs together, sealed: some 300 pages. Words have a room of their own. */
const maxBytes = 100_000_000;

const rate = { what: "journal-picture", max: 30, windowSeconds: 3600 };
const preparing = limitConcurrency({ each: 1, all: 8 });
/** Longer than storing one takes. */
const unfinishedMs = 3600_000;

type OfLesson = { userId: string; lessonId: string };

/** Those that are stored whole, and not deleted. */
export const storedPhotographs = (db: Query, userId: string) =>
  db
    .selectFrom("journalPictures")
    .where("userId", "=", userId)
    .where(sql<boolean>`stored_at is not null and deleted_at is null`);

/** A user's photographs of a lesson, the oldest first. */
export const listPhotographs = compiledOnce((db, { userId, lessonId }: OfLesson) =>
  storedPhotographs(db, userId)
    .select(["id", "width", "height", "createdAt"])
    .where("lessonId", "=", lessonId)
    .orderBy("createdAt")
    .orderBy("id"),
);

export const listAllPhotographs = (db: Query, userId: string) =>
  storedPhotographs(db, userId)
    .select(["id", "lessonId", "width", "height", "createdAt"])
    .orderBy("createdAt")
    .orderBy("id")
    .execute();

type Adding = OfLesson & {
  /** Made by the page: sent twice, a picture is stored once. */
  id: string;
  source: Blob;
};

/** Makes a photograph small, upright and free of metadata, seals it with the student's key, and
 * stores it with the lesson's journal. The row is there before the bytes, so that none are unknown
 * after a crash. @throws {Refused} */
export async function addPhotograph(
  services: Services,
  { source, ...of }: Adding,
): Promise<Photograph> {
  const { db, storage, clock } = services;
  const { userId, lessonId, id } = of;
  if (!isId(id)) throw new Refused("invalid", photographMessages.gone);
  const before = await findStored(db.write, of);
  if (before) return before;
  await db.transaction((trx) => requirePlace(services, trx, of));
  if (source.size > photographLimits.bytes)
    throw new Refused("too_large", photographMessages.large);
  if ((await services.uploads.room()) < photographLimits.bytes)
    throw new Refused("no_room", photographMessages.diskFull);
  const { width, height, bytes } = await prepare(services, userId, source);
  const seal = await sealOf(services, userId);
  const sealed = seal.closeBytes(bytes, photographPlace(lessonId, id));
  const createdAt = clock.now();
  const row = { id, userId, lessonId, width, height, createdAt };
  await db.transaction(async (trx) => {
    await requirePlace(services, trx, of, sealed.length);
    await trx
      .insertInto("journalPictures")
      .values({ ...row, size: sealed.length })
      .execute();
    // A sign of the student, as those that triggers note (platform/db/migration-007-quiet.ts).
    const care = trx.updateTable("careRequests").set({ activeAt: createdAt, writtenAt: null });
    await care.where("userId", "=", userId).execute();
  });
  try {
    await orNoRoom(putBytes(storage, { bucket, key: sealedKey(id) }, sealed));
  } catch (error) {
    await deletePhotograph(services, of);
    if (error instanceof NoRoom) throw new Refused("no_room", photographMessages.diskFull);
    throw error;
  }
  const { numUpdatedRows } = await db.write
    .updateTable("journalPictures")
    .set({ storedAt: clock.now() })
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!numUpdatedRows) throw new Refused("conflict", photographMessages.gone);
  return { id, width, height, createdAt };
}

/** Why no photograph can be made of what was sent: in the journal's words, not those of the coach's
 * pictures, which may be larger and of other kinds. */
export const unusableMessages: Record<Refusal, string> = {
  large: photographMessages.large,
  pixels:
    "This photograph has more than 40 million pixels, and was not saved. Please take it once more with a smaller size.",
  format: "This is not a picture that can be saved here. Please choose a JPEG, PNG or WebP.",
  heic: "This photograph is in the format HEIC, which most browsers cannot show. Please save it as a JPEG first. On an iPhone, choosing it in Safari does that by itself.",
  animated: "This picture moves. Please choose a photograph, as a JPEG, PNG or WebP.",
  damaged:
    "This photograph is damaged or incomplete, and was not saved. Please choose it once more, or take another one.",
  slow: "This photograph could not be prepared in time, and was not saved. Please take it once more with a smaller size.",
  busy: "Other photographs are being prepared just now, and this one was not. Please try again in a moment.",
  absent: "Photographs cannot be added on this site just now. What you write is saved as before.",
};

async function prepare(services: Services, userId: string, source: Blob) {
  const limit = { ...rate, whose: userId };
  const end = preparing.begin(userId);
  if (!end) throw new Refused("unavailable", photographMessages.busy);
  try {
    if (!(await withinLimit(services, limit)))
      throw new Refused("rate_limited", photographMessages.tooOften);
    const { renditions } = await makePicture(await source.bytes(), recipe);
    const largest = renditions.at(-1);
    if (!largest) throw new Error("no picture was made");
    return largest;
  } catch (error) {
    if (!(error instanceof PictureRefused)) throw error;
    if (error.code === "unavailable") await uncount(services, limit);
    throw new Refused(error.code, unusableMessages[error.reason]);
  } finally {
    end();
  }
}

async function findStored(db: Query, { userId, lessonId, id }: OfLesson & { id: string }) {
  return storedPhotographs(db, userId)
    .select(["id", "width", "height", "createdAt"])
    .where("id", "=", id)
    .where("lessonId", "=", lessonId)
    .executeTakeFirst();
}

/** @param size of the sealed bytes, if known @throws {Refused} unless the lesson is open to the
 * student, and has room for one more, as they have */
async function requirePlace(
  { db, clock }: Services,
  trx: Query,
  { userId, lessonId, id }: OfLesson & { id: string },
  size = 0,
): Promise<void> {
  await lockId(db, trx, `journal-photographs ${userId}`);
  await requireOpenLesson(trx, { userId, lessonId, now: clock.now() });
  const known = await trx
    .selectFrom("journalPictures")
    .select(["userId", "deletedAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (known?.userId === userId && !known.deletedAt)
    throw new Refused("unavailable", photographMessages.busy);
  if (known) throw new Refused("conflict", photographMessages.gone);
  const own = await trx
    .selectFrom("journalPictures")
    .select(["lessonId", "size"])
    .where("userId", "=", userId)
    .where("deletedAt", "is", null)
    .execute();
  if (own.filter((one) => one.lessonId === lessonId).length >= photographLimits.ofLesson)
    throw new Refused("conflict", photographMessages.five);
  if (own.reduce((sum, one) => sum + one.size, size) > maxBytes)
    throw new Refused("no_room", photographMessages.full);
}

/** One of the user's own photographs, opened: a WebP. Null where there is none, or it is damaged. */
export async function readPhotograph(
  services: Services,
  { userId, id }: { userId: string; id: string },
): Promise<Buffer | null> {
  const { db, storage } = services;
  if (!isId(id)) return null;
  const row = await storedPhotographs(db.read, userId)
    .select("lessonId")
    .where("id", "=", id)
    .executeTakeFirst();
  const file = row && (await storage.open(bucket, sealedKey(id)));
  if (!file) return null;
  try {
    const place = photographPlace(row.lessonId, id);
    return await openPhotograph(services, { userId, place }, await file.read(0, file.size));
  } finally {
    await file.close();
  }
}

/** In the transaction of what they belong to; {@link finishPhotographDeletions} comes after it.
 * @returns whether any was there */
export async function deletePhotographs(
  trx: Query,
  { userId, ids }: { userId: string; ids: readonly string[] },
  now: Date,
): Promise<boolean> {
  if (ids.length === 0) return false;
  const { numUpdatedRows } = await trx
    .updateTable("journalPictures")
    .set({ deletedAt: now })
    .where("userId", "=", userId)
    .where("id", "in", ids)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deletePhotograph(
  services: Services,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const isDeleted = await deletePhotographs(
    services.db.write,
    { userId, ids: [id] },
    services.clock.now(),
  );
  await finishPhotographDeletions(services, [id]);
  return isDeleted;
}

/** Deletes the bytes of deleted photographs, then their rows: a crash in between leaves the row. What
 * the store does not delete now, {@link removeDeletedPhotographs} tries again. */
export async function finishPhotographDeletions(
  services: Services,
  ids: readonly string[],
): Promise<void> {
  try {
    for (const id of ids) await removeDeleted(services, id, sql<boolean>`deleted_at is not null`);
  } catch (error) {
    services.log.error({ err: error }, "a deleted picture is still in storage");
  }
}

async function removeDeleted({ db, storage }: Services, id: string, isOver: Condition) {
  const over = db.write.selectFrom("journalPictures").where("id", "=", id).where(isOver);
  if (!(await isAny(over))) return;
  await storage.remove(bucket, sealedKey(id));
  await db.write.deleteFrom("journalPictures").where("id", "=", id).where(isOver).execute();
}

type Condition = ReturnType<typeof sql<boolean>>;

const portion = 200;

/** Those that were deleted, alone or with an account, or were never stored whole. */
export const removeDeletedPhotographs: RegularTask = {
  name: "journal.photographs",
  async run(services) {
    const abandoned = new Date(services.clock.now().getTime() - unfinishedMs);
    const isOver = sql<boolean>`(user_id is null or deleted_at is not null
      or (stored_at is null and created_at < ${abandoned}))`;
    for (let from = ""; ; ) {
      const rows = await services.db.write
        .selectFrom("journalPictures")
        .select("id")
        .where("id", ">", from)
        .where(isOver)
        .orderBy("id")
        .limit(portion)
        .execute();
      for (const { id } of rows) await removeDeleted(services, id, isOver);
      const last = rows.at(-1);
      if (!last || rows.length < portion) return;
      from = last.id;
    }
  },
};
