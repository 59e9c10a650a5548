import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { contentType } from "~/platform/storage/content-type.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { findUpload, type UploadRow } from "~/platform/uploads/rows.ts";
import type { AskedUpload, UploadPolicy } from "~/platform/uploads/tus.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { convertWhereNeeded } from "./conversion.server.ts";
import { attachFile, requireFileRoom } from "./files.server.ts";
import { fileContentRefusal, lessonFileRefusal } from "./files.ts";
import type { FilmFacts } from "./films.ts";
import { mediaKeys, newestKeys } from "./media.server.ts";
import {
  announcedHours,
  type MediaKind,
  mediaBuckets,
  mostOpen,
  mostOpenInAll,
  uploadBuckets,
  uploadRefusals,
} from "./messages.ts";
import { fileRefusal, kindOfBucket, mediaKey, tooLarge, uploadRefusal } from "./rules.ts";
import { uploadMetadata } from "./schema.ts";

/** The columns of a lesson that name its files. */
export const columnOf = { video: "muxPlaybackId", audio: "audioKey" } as const;

/** Makes a complete upload into a lesson's file: checks its bytes, moves them to storage, and
 * records the file, also in the lesson if that is stored (else creating it does, see
 * `attachMedia`). Idempotent, also for concurrent calls and after a crash. A rejected file leaves
 * only the reason.
 * @throws {Refused} not_found; conflict if incomplete; invalid with the reason for a wrong file */
export async function finishUpload(
  services: Services,
  { uploadId, userId }: { uploadId: string; userId: string | null },
): Promise<void> {
  const upload = await findUpload(services, uploadId);
  if (upload && !upload.finishedAt && !upload.refusedAt) await check(services, upload, userId);
  const now = await findUpload(services, uploadId);
  if (now?.refusedAt) throw new Refused("invalid", now.reason ?? uploadRefusals.damaged);
  if (!now?.finishedAt) throw new Refused("not_found", uploadRefusals.gone);
}

/** Finishes an upload that has arrived, for no one who waits: a refusal is stored with it. */
export async function finishArrived(services: Services, uploadId: string): Promise<void> {
  await finishUpload(services, { uploadId, userId: null }).catch((err: unknown) => {
    if (!(err instanceof Refused)) services.log.error({ err, upload: uploadId }, "not finished");
  });
}

async function check(services: Services, upload: UploadRow, by: string | null) {
  if ((await services.uploads.received(upload)) !== upload.size)
    throw new Refused("conflict", uploadRefusals.incomplete);
  const { reason, found } = await judge(services, upload);
  if (reason) await refuse(services, upload, reason);
  else await take(services, upload, found);
  const { id, size } = upload;
  services.log.info({ upload: id, by, size, taken: !reason }, "upload checked");
}

async function judge({ uploads, config }: Services, upload: UploadRow) {
  const { bucket, fileName } = upload;
  const kind = kindOfBucket(bucket);
  const bytes = await uploads.open(upload);
  try {
    // Loaded here: the format readers are large, and no start of the site waits for them.
    if (kind === "file") {
      const { inspectDocument } = await import("~/platform/uploads/inspect-document.ts");
      const document = await inspectDocument(bytes);
      const reason = fileContentRefusal(fileName, document, config.lessonFileTypes);
      return { reason, found: { durationMs: null, ...nothingFound } };
    }
    const { inspect } = await import("~/platform/uploads/inspect.ts");
    const { readFilmFacts } = await import("./film-facts.server.ts");
    const found = await inspect(bytes);
    const film = kind === "video" && !found.broken ? await readFilmFacts(bytes) : null;
    const reason = uploadRefusal(kind, fileName, found);
    return { reason, found: { durationMs: found.durationMs, ...(film ?? nothingFound) } };
  } finally {
    await bytes.close();
  }
}

async function refuse({ db, uploads, clock }: Services, upload: UploadRow, reason: string) {
  if (await settleRow(db.write, upload, { refusedAt: clock.now(), reason }))
    await uploads.discard(upload);
}

/** @returns false if the upload was settled or deleted meanwhile */
async function settleRow(
  db: Query,
  { id }: UploadRow,
  values: { finishedAt: Date } | { refusedAt: Date; reason: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("uploads")
    .set(values)
    .where("id", "=", id)
    .where("finishedAt", "is", null)
    .where("refusedAt", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

type Found = FilmFacts & { durationMs: number | null };
const nothingFound = { videoCodec: null, audioCodec: null, width: null, height: null };

async function take(services: Services, upload: UploadRow, found: Found) {
  const { db, uploads, clock } = services;
  const { id, bucket, key, fileName, size, rendition, renditionOf } = upload;
  const lessonId = rendition ? null : upload.lessonId;
  try {
    await uploads.settle(upload);
  } catch (error) {
    // It was cancelled at this moment.
    if (await findUpload(services, id)) throw error;
  }
  const now = clock.now();
  const isOurs = await db.transaction(async (trx) => {
    await lockId(db, trx, upload.lessonId);
    if (!(await settleRow(trx, upload, { finishedAt: now }))) return false;
    const kind = kindOfBucket(bucket);
    const file = { id, bucket, key, fileName, size, rendition, renditionOf, ...found };
    await trx
      .insertInto("mediaFiles")
      .values({
        ...file,
        contentType: contentType(bucket, key),
        // A lesson's list names its downloads.
        lessonId: kind === "file" ? null : lessonId,
        createdAt: now,
      })
      .execute();
    const what = kind === "file" ? await attachFile(trx, upload, now) : kind;
    if (rendition) await dropOlderRendition(trx, upload);
    else if (kind !== "file") await attach(trx, upload, kind);
    if (kind === "video" && !rendition) await convertWhereNeeded(trx, services, file);
    await auditUpload(trx, services, upload, rendition ? "video" : what);
    return true;
  });
  if (!isOurs && !(await findUpload(services, id))) await uploads.discard(upload);
}

/** The bytes become stray files, which are deleted after some days. */
async function dropOlderRendition(trx: Query, { id, rendition, renditionOf }: UploadRow) {
  await trx
    .deleteFrom("mediaFiles")
    .where("renditionOf", "=", renditionOf)
    .where("rendition", "=", rendition)
    .where("id", "<", id)
    .execute();
}

/** The lesson plays the upload begun last, whichever ends last, even if that was removed since. A
 * deleted lesson gets its file too: it may be restored. */
async function attach(trx: Query, { id, bucket, key, lessonId }: UploadRow, kind: MediaKind) {
  await trx
    .updateTable("lessons")
    .set({ [columnOf[kind]]: key })
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
              .where("later.rendition", "is", null)
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

/** Recorded for the uploader, even if the upload finished without them. */
async function auditUpload(
  trx: Query,
  { clock }: Services,
  upload: UploadRow,
  media: string,
): Promise<void> {
  const actor = await trx
    .selectFrom("profiles")
    .select(["id", "name"])
    .where("id", "=", upload.userId)
    .executeTakeFirst();
  if (actor)
    await auditMedia(trx, { actor, clock }, "lesson.media-attached", upload.lessonId, media);
}

async function auditMedia(
  trx: Query,
  by: Pick<Services, "actor" | "clock">,
  action: "lesson.media-attached" | "lesson.media-removed",
  lessonId: string,
  /** 'video', 'audio', or the title of a file. */
  media: string,
): Promise<void> {
  const lesson = await trx
    .selectFrom("lessons")
    .select("title")
    .where("id", "=", lessonId)
    .executeTakeFirst();
  await recordAudit(trx, by, { action, id: lessonId, label: lesson?.title, details: { media } });
}

/** The media columns of a new lesson: the newest file of each kind uploaded before it was saved.
 * Call it in the transaction that creates the lesson. */
export async function attachMedia(
  trx: Query,
  lessonId: string,
): Promise<{ muxPlaybackId: string | null; audioKey: string | null }> {
  const { video, audio } = await newestKeys(trx, lessonId);
  return { muxPlaybackId: video, audioKey: audio };
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
    const now = (await mediaKeys(trx, lessonId))[kind];
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
    await auditMedia(trx, services, "lesson.media-removed", lessonId, kind);
  });
}

/** The upload policy of lesson media (platform/uploads): what is admitted, and how it finishes. */
export function mediaUploads({ config }: Pick<Services, "config">): UploadPolicy<Services> {
  return {
    limit: config.uploadLimitBytes,
    admit,
    finish: finishUpload,
    texts: {
      ...uploadRefusals,
      tooLarge: (bytes) => tooLarge(bytes, config.uploadLimitBytes),
    },
  };
}

async function admit(services: Services, asked: AskedUpload): Promise<void> {
  const { filename: fileName, kind, lessonId, moduleId, ...made } = metadataOf(asked);
  const { id, size, userId } = asked;
  const { lessonFileTypes, lessonFileLimitBytes } = services.config;
  const reason =
    kind === "file"
      ? lessonFileRefusal({ name: fileName, size }, { types: lessonFileTypes })
      : fileRefusal(kind, { name: fileName, size });
  if (reason) throw new Refused("invalid", reason);
  if (kind === "file" && size > lessonFileLimitBytes)
    throw new Refused("too_large", tooLarge(size, lessonFileLimitBytes));
  await checkModule(services, moduleId);
  if (made.renditionOf) await checkFilm(services, made.renditionOf);
  await checkRoom(services, size);
  const { db, clock } = services;
  await db.transaction(async (trx) => {
    await lockId(db, trx, "begun uploads");
    await checkNumber(services, trx, userId);
    if (kind === "file") await requireFileRoom(trx, lessonId);
    const bucket = uploadBuckets[kind];
    const createdAt = clock.now();
    let ms = createdAt.getTime();
    // Two files of one name in the same millisecond get different ones.
    while (await isTaken(trx, bucket, mediaKey(moduleId, ms, fileName))) ms += 1;
    const key = mediaKey(moduleId, ms, fileName);
    await trx
      .insertInto("uploads")
      .values({ id, bucket, key, fileName, size, lessonId, userId, createdAt, ...made })
      .execute();
  });
}

async function isTaken(trx: Query, bucket: Bucket, key: string): Promise<boolean> {
  for (const table of ["uploads", "mediaFiles"] as const) {
    const query = trx.selectFrom(table).select("id").where("bucket", "=", bucket);
    if (await query.where("key", "=", key).executeTakeFirst()) return true;
  }
  return false;
}

function metadataOf({ metadata }: AskedUpload) {
  const parsed = uploadMetadata.safeParse(metadata);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  const { nameless, noModule, noLesson } = uploadRefusals;
  const why = field === "filename" ? nameless : field === "moduleId" ? noModule : noLesson;
  throw new Refused("invalid", why);
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

async function checkFilm({ db }: Services, id: string) {
  const film = db.write
    .selectFrom("mediaFiles")
    .where("id", "=", id)
    .where("bucket", "=", mediaBuckets.video)
    .where("renditionOf", "is", null);
  if (!(await isAny(film))) throw new Refused("invalid", uploadRefusals.noFilm);
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
