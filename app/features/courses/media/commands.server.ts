import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { findUpload, type UploadRow } from "~/platform/uploads/rows.ts";
import { fileOfUpload, newestFiles } from "./queries.server.ts";
import { kindOfBucket, refusalOf, typeByName } from "./rules.ts";
import type { MediaFile } from "./schema.ts";
import { type MediaKind, mediaBuckets, refusals } from "./texts.ts";

/** What {@link finishUpload} makes of an upload. */
export type FinishedUpload = { status: "ready"; file: MediaFile };

/** The lesson's column that names its file of this kind. */
const columnOf = { video: "muxPlaybackId", audio: "audioKey" } as const;

/**
 * Makes a complete upload into a file of its lesson: checks its bytes, puts them where storage
 * finds them, and writes the file down and into the lesson, if that is saved already (else
 * creating it does, see {@link takeOverMedia}). Twice, also at once, is once; after a crash it is
 * called again. Nothing is left of what is refused but the reason.
 * @throws {Refused} `not_found` for no such upload, `conflict` for one that is still coming,
 * `invalid` with the reason for a file that is not what it says
 */
export async function finishUpload(
  services: Services,
  { uploadId, userId }: { uploadId: string; userId: string | null },
): Promise<FinishedUpload> {
  const upload = await findUpload(services, uploadId);
  if (!upload) throw new Refused("not_found", refusals.gone);
  if (upload.finishedAt || upload.refusedAt) return outcome(services, uploadId);
  const { uploads, log } = services;
  if ((await uploads.received(upload)) !== upload.size)
    throw new Refused("conflict", refusals.incomplete);
  const found = await look(services, upload);
  const reason = refusalOf(kindOfBucket(upload.bucket), upload.fileName, found);
  if (reason) await refuse(services, upload, reason);
  else await keep(services, upload, found.durationMs);
  log.info({ upload: uploadId, by: userId, size: upload.size, taken: !reason }, "upload checked");
  return outcome(services, uploadId);
}

/** How an upload ended, whoever ended it. */
async function outcome(services: Services, uploadId: string): Promise<FinishedUpload> {
  const upload = await findUpload(services, uploadId);
  if (upload?.refusedAt) throw new Refused("invalid", upload.reason ?? refusals.damaged);
  const file = upload?.finishedAt ? await fileOfUpload(services, uploadId) : null;
  if (!file) throw new Refused("not_found", refusals.gone);
  return { status: "ready", file };
}

async function look({ uploads }: Services, upload: UploadRow) {
  // What reads formats is large, and no start of the site waits for it.
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
    // Cancelled in this very moment.
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

/** In the name of whoever uploaded it, also where the end of it came without her. */
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
  await audit(trx, { actor, clock }, { action, id: lessonId, label, details });
}

async function titleOf(trx: Query, lessonId: string): Promise<string | undefined> {
  const lesson = await trx
    .selectFrom("lessons")
    .select("title")
    .where("id", "=", lessonId)
    .executeTakeFirst();
  return lesson?.title;
}

/**
 * The lesson plays the upload that was begun last, whichever ends last. A deleted lesson gets its
 * file too: it may be restored.
 */
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
          // A finished upload is forgotten after some days, and this one may take longer.
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

/**
 * The columns of a lesson that is being created for what was uploaded before it was saved: the
 * newest file of each kind. To be called in the transaction that creates it.
 */
export async function takeOverMedia(
  trx: Query,
  lessonId: string,
): Promise<{ muxPlaybackId: string | null; audioKey: string | null }> {
  const { video, audio } = await newestFiles(trx, lessonId);
  return { muxPlaybackId: video?.key ?? null, audioKey: audio?.key ?? null };
}

/**
 * Takes a video or audio out of a lesson, saved or not. The file itself stays for some days
 * (keptDays), then it is removed. Twice is once.
 * @param key the file that is to go
 * @throws {Refused} `conflict` when the lesson has another file by now: that one stays
 */
export async function detachMedia(
  services: Services,
  { lessonId, kind, key }: { lessonId: string; kind: MediaKind; key: string },
): Promise<void> {
  const { db } = services;
  await db.transaction(async (trx) => {
    await lockId(db, trx, lessonId);
    const now = await storedKey(trx, lessonId, kind);
    if (now === null) return;
    if (now !== key) throw new Refused("conflict", refusals.otherFile);
    await trx
      .updateTable("lessons")
      .set({ [columnOf[kind]]: null })
      .where("id", "=", lessonId)
      .execute();
    // A lesson that is not saved yet would take it over when it is.
    await trx
      .updateTable("mediaFiles")
      .set({ lessonId: null })
      .where("lessonId", "=", lessonId)
      .where("bucket", "=", mediaBuckets[kind])
      .execute();
    const label = await titleOf(trx, lessonId);
    const action = "lesson.media-removed";
    await audit(trx, services, { action, id: lessonId, label, details: { media: kind } });
  });
}

/** What a lesson has of a kind; before it is saved, what it would take over. */
async function storedKey(trx: Query, lessonId: string, kind: MediaKind): Promise<string | null> {
  const lesson = await trx
    .selectFrom("lessons")
    .select(columnOf[kind])
    .where("id", "=", lessonId)
    .executeTakeFirst();
  if (lesson) return lesson[columnOf[kind]] ?? null;
  return (await newestFiles(trx, lessonId))[kind]?.key ?? null;
}
