import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { findUpload, type UploadRow } from "~/platform/uploads/rows.ts";
import type { AskedUpload, UploadPolicy } from "~/platform/uploads/tus.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { fileOfUpload, newestFiles } from "./media.server.ts";
import {
  announcedHours,
  type MediaKind,
  mediaBuckets,
  mostOpen,
  mostOpenInAll,
  uploadRefusals,
} from "./messages.ts";
import { kindOfBucket, mediaKey, tooLarge, typeByName, uploadRefusal } from "./rules.ts";
import { type MediaFile, uploadMetadata } from "./schema.ts";

export type FinishedUpload = { status: "ready"; file: MediaFile };

const columnOf = { video: "muxPlaybackId", audio: "audioKey" } as const;

/** Makes a complete upload into a lesson's file: checks its bytes, moves them to storage, and
 * records the file, also in the lesson if that is stored (else creating it does, see
 * `attachMedia`). Idempotent, also for concurrent calls and after a crash. A rejected file leaves
 * only the reason.
 * @throws {Refused} not_found; conflict if incomplete; invalid with the reason for a wrong file */
export async function finishUpload(
  services: Services,
  { uploadId, userId }: { uploadId: string; userId: string | null },
): Promise<FinishedUpload> {
  const upload = await findUpload(services, uploadId);
  if (!upload) throw new Refused("not_found", uploadRefusals.gone);
  if (upload.finishedAt || upload.refusedAt) return outcome(services, uploadId);
  const { uploads, log } = services;
  if ((await uploads.received(upload)) !== upload.size)
    throw new Refused("conflict", uploadRefusals.incomplete);
  const found = await look(services, upload);
  const reason = uploadRefusal(kindOfBucket(upload.bucket), upload.fileName, found);
  if (reason) await refuse(services, upload, reason);
  else await keep(services, upload, found.durationMs);
  log.info({ upload: uploadId, by: userId, size: upload.size, taken: !reason }, "upload checked");
  return outcome(services, uploadId);
}

async function outcome(services: Services, uploadId: string): Promise<FinishedUpload> {
  const upload = await findUpload(services, uploadId);
  if (upload?.refusedAt) throw new Refused("invalid", upload.reason ?? uploadRefusals.damaged);
  const file = upload?.finishedAt ? await fileOfUpload(services, uploadId) : null;
  if (!file) throw new Refused("not_found", uploadRefusals.gone);
  return { status: "ready", file };
}

async function look({ uploads }: Services, upload: UploadRow) {
  // Loaded here: the format readers are large, and no start of the site waits for them.
  const { inspect } = await import("~/platform/uploads/inspect.ts");
  const bytes = await uploads.open(upload);
  try {
    return await inspect(bytes);
  } finally {
    await bytes.close();
  }
}

async function refuse({ db, clock, uploads }: Services, upload: UploadRow, reason: string) {
  const { numUpdatedRows } = await db.write
    .updateTable("uploads")
    .set({ refusedAt: clock.now(), reason })
    .where("id", "=", upload.id)
    .where("finishedAt", "is", null)
    .where("refusedAt", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await uploads.discard(upload);
}

async function keep(services: Services, upload: UploadRow, durationMs: number | null) {
  const { db, uploads, clock } = services;
  try {
    await uploads.settle(upload);
  } catch (error) {
    // It was cancelled at this moment.
    if (await findUpload(services, upload.id)) throw error;
  }
  const now = clock.now();
  const isOurs = await db.transaction(async (trx) => {
    await lockId(db, trx, upload.lessonId);
    const { numUpdatedRows } = await trx
      .updateTable("uploads")
      .set({ finishedAt: now })
      .where("id", "=", upload.id)
      .where("finishedAt", "is", null)
      .where("refusedAt", "is", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    const { id, bucket, key, fileName, size, lessonId } = upload;
    const contentType = typeByName(kindOfBucket(bucket), fileName)?.type ?? "";
    await trx
      .insertInto("mediaFiles")
      .values({
        id,
        bucket,
        key,
        fileName,
        contentType,
        size,
        durationMs,
        lessonId,
        createdAt: now,
      })
      .execute();
    await attach(trx, upload);
    await auditUpload(trx, services, upload);
    return true;
  });
  if (!isOurs && !(await findUpload(services, upload.id))) await uploads.discard(upload);
}

/** Recorded for the uploader, even if the upload finished without them. */
async function auditUpload(trx: Query, { clock }: Services, upload: UploadRow): Promise<void> {
  const { userId, lessonId, bucket } = upload;
  const actor = await trx
    .selectFrom("profiles")
    .select(["id", "name"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!actor) return;
  const details = { media: kindOfBucket(bucket) };
  const label = await titleOf(trx, lessonId);
  const action = "lesson.media-attached";
  await recordAudit(trx, { actor, clock }, { action, id: lessonId, label, details });
}

async function titleOf(trx: Query, lessonId: string): Promise<string | undefined> {
  const lesson = await trx
    .selectFrom("lessons")
    .select("title")
    .where("id", "=", lessonId)
    .executeTakeFirst();
  return lesson?.title;
}

/** The lesson plays the upload begun last, whichever ends last. A deleted lesson gets its file too:
 * it may be restored. */
async function attach(trx: Query, { id, bucket, key, lessonId }: UploadRow) {
  await trx
    .updateTable("lessons")
    .set({ [columnOf[kindOfBucket(bucket)]]: key })
    .where("id", "=", lessonId)
    .where(({ not, or, exists, selectFrom }) =>
      not(
        or([
          exists(
            selectFrom("uploads as later")
              .select("later.id")
              .where("later.lessonId", "=", lessonId)
              .where("later.bucket", "=", bucket)
              .where("later.finishedAt", "is not", null)
              .where("later.id", ">", id),
          ),
          // A finished upload's row is deleted after some days, and this upload may take longer.
          exists(
            selectFrom("mediaFiles as newer")
              .select("newer.id")
              .where("newer.lessonId", "=", lessonId)
              .where("newer.bucket", "=", bucket)
              .where("newer.id", ">", id),
          ),
        ]),
      ),
    )
    .execute();
}

/** The media columns of a new lesson: the newest file of each kind uploaded before it was saved.
 * Call it in the transaction that creates the lesson. */
export async function attachMedia(
  trx: Query,
  lessonId: string,
): Promise<{ muxPlaybackId: string | null; audioKey: string | null }> {
  const { video, audio } = await newestFiles(trx, lessonId);
  return { muxPlaybackId: video?.key ?? null, audioKey: audio?.key ?? null };
}

/** Removes a video or audio (`key`) from a lesson, saved or not. The file is deleted after
 * `unusedMediaDays`. Idempotent.
 * @throws {Refused} conflict if the lesson has another file by now: that one stays */
export async function detachMedia(
  services: Services,
  { lessonId, kind, key }: { lessonId: string; kind: MediaKind; key: string },
): Promise<void> {
  const { db } = services;
  await db.transaction(async (trx) => {
    await lockId(db, trx, lessonId);
    const now = await storedKey(trx, lessonId, kind);
    if (now === null) return;
    if (now !== key) throw new Refused("conflict", uploadRefusals.otherFile);
    await trx
      .updateTable("lessons")
      .set({ [columnOf[kind]]: null })
      .where("id", "=", lessonId)
      .execute();
    // A lesson that is not saved yet would otherwise take it over when it is.
    await trx
      .updateTable("mediaFiles")
      .set({ lessonId: null })
      .where("lessonId", "=", lessonId)
      .where("bucket", "=", mediaBuckets[kind])
      .execute();
    const label = await titleOf(trx, lessonId);
    const action = "lesson.media-removed";
    await recordAudit(trx, services, { action, id: lessonId, label, details: { media: kind } });
  });
}

/** Before a lesson is saved, the file that it would take over. */
async function storedKey(trx: Query, lessonId: string, kind: MediaKind): Promise<string | null> {
  const lesson = await trx
    .selectFrom("lessons")
    .select(columnOf[kind])
    .where("id", "=", lessonId)
    .executeTakeFirst();
  if (lesson) return lesson[columnOf[kind]] ?? null;
  return (await newestFiles(trx, lessonId))[kind]?.key ?? null;
}

/** The upload policy of lesson media (platform/uploads): what is admitted, and how it finishes. */
export function mediaUploads({ config }: Pick<Services, "config">): UploadPolicy<Services> {
  return {
    limit: config.uploadLimitBytes,
    admit,
    finish: finishUpload,
    texts: {
      tooLarge: (bytes) => tooLarge(bytes, config.uploadLimitBytes),
      noRoom: uploadRefusals.diskFull,
      gone: uploadRefusals.gone,
      notOffered: uploadRefusals.notOffered,
      failed: uploadRefusals.failed,
    },
  };
}

async function admit(services: Services, asked: AskedUpload): Promise<void> {
  const { filename, kind, lessonId, moduleId } = wordsOf(asked);
  if (!typeByName(kind, filename)) throw new Refused("invalid", uploadRefusals.ending[kind]);
  if (asked.size === 0) throw new Refused("invalid", uploadRefusals.empty);
  await checkModule(services, moduleId);
  await checkRoom(services, asked.size);
  const { id, size, userId } = asked;
  const upload = { id, bucket: mediaBuckets[kind], fileName: filename, size, lessonId, userId };
  await services.db.transaction(async (trx) => {
    await lockId(services.db, trx, "begun uploads");
    await checkNumber(services, trx, userId);
    await insertRow(services, trx, { ...upload, moduleId });
  });
}

function wordsOf({ metadata }: AskedUpload) {
  const parsed = uploadMetadata.safeParse(metadata);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  if (field === "filename") throw new Refused("invalid", uploadRefusals.nameless);
  throw new Refused(
    "invalid",
    field === "moduleId" ? uploadRefusals.noModule : uploadRefusals.noLesson,
  );
}

async function checkModule({ db }: Services, moduleId: string) {
  const module = await db.write
    .selectFrom("modules")
    .select("deletedAt")
    .where("id", "=", moduleId)
    .executeTakeFirst();
  if (!module) throw new Refused("invalid", uploadRefusals.noModule);
  if (module.deletedAt) throw new Refused("invalid", uploadRefusals.moduleGone);
}

/** Uploads that may still be finished, except those announced long ago and never begun. */
function openUploads(services: Services, db: Query) {
  return db
    .selectFrom("uploads")
    .where("finishedAt", "is", null)
    .where("refusedAt", "is", null)
    .where(({ or, eb }) =>
      or([eb("receivedAt", "is not", null), eb("createdAt", ">", announcedSince(services))]),
    );
}

/** An upload without a byte no longer counts if it was announced before this time. */
export function announcedSince({ clock }: Pick<Services, "clock">): Date {
  return new Date(clock.now().getTime() - announcedHours * 3600_000);
}

async function checkNumber(services: Services, trx: Query, userId: string) {
  const open = await openUploads(services, trx).select("userId").execute();
  const own = open.filter((upload) => upload.userId === userId);
  if (own.length >= mostOpen || open.length >= mostOpenInAll)
    throw new Refused("no_room", uploadRefusals.tooManyOpen);
}

/** Bytes that were announced but not sent yet count as used. */
async function checkRoom(services: Services, size: number) {
  const { db, uploads } = services;
  const room = await uploads.room();
  if (room === Number.POSITIVE_INFINITY) return;
  const open = (await openUploads(services, db.write).selectAll().execute()) as UploadRow[];
  let announced = 0;
  for (const upload of open) announced += upload.size - ((await uploads.received(upload)) ?? 0);
  if (room - announced < size) throw new Refused("no_room", uploadRefusals.diskFull);
}

type NewUpload = Pick<UploadRow, "id" | "bucket" | "fileName" | "size" | "lessonId" | "userId"> & {
  moduleId: string;
};

/** Two files of one name in the same millisecond get keys of different milliseconds. */
async function insertRow(
  { clock }: Services,
  db: Query,
  { moduleId, ...upload }: NewUpload,
): Promise<void> {
  const now = clock.now();
  for (let ms = now.getTime(); ; ms += 1) {
    const key = mediaKey(moduleId, ms, upload.fileName);
    const taken = await db
      .selectFrom("mediaFiles")
      .select("id")
      .where("bucket", "=", upload.bucket)
      .where("key", "=", key)
      .executeTakeFirst();
    if (taken) continue;
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("uploads")
      .values({ ...upload, key, createdAt: now })
      .onConflict((conflict) => conflict.columns(["bucket", "key"]).doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) return;
  }
}
