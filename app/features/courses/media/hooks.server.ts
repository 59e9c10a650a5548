import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import type { UploadRow } from "~/platform/uploads/rows.ts";
import type { AskedUpload, UploadPolicy } from "~/platform/uploads/tus.ts";
import { finishUpload } from "./commands.server.ts";
import { mediaKey, tooLarge, typeByName } from "./rules.ts";
import { uploadMetadata } from "./schema.ts";
import { announcedHours, mediaBuckets, mostOpen, mostOpenInAll, refusals } from "./texts.ts";

/** What lesson media say to uploads (platform/uploads): which may come, and what becomes of them. */
export function mediaUploads({ config }: Pick<Services, "config">): UploadPolicy {
  return {
    limit: config.uploadLimitBytes,
    admit,
    finish: finishUpload,
    texts: {
      tooLarge: (bytes) => tooLarge(bytes, config.uploadLimitBytes),
      noRoom: refusals.diskFull,
      gone: refusals.gone,
      notOffered: refusals.notOffered,
      failed: refusals.failed,
    },
  };
}

async function admit(services: Services, asked: AskedUpload): Promise<void> {
  const { filename, kind, lessonId, moduleId } = wordsOf(asked);
  if (!typeByName(kind, filename)) throw new Refused("invalid", refusals.ending[kind]);
  if (asked.size === 0) throw new Refused("invalid", refusals.empty);
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
  if (field === "filename") throw new Refused("invalid", refusals.nameless);
  throw new Refused("invalid", field === "moduleId" ? refusals.noModule : refusals.noLesson);
}

async function checkModule({ db }: Services, moduleId: string) {
  const module = await db.write
    .selectFrom("modules")
    .select("deletedAt")
    .where("id", "=", moduleId)
    .executeTakeFirst();
  if (!module) throw new Refused("invalid", refusals.noModule);
  if (module.deletedAt) throw new Refused("invalid", refusals.moduleGone);
}

/** Uploads that were begun and may still be finished: not those that were only announced. */
function openUploads(services: Services, db: Query) {
  return db
    .selectFrom("uploads")
    .where("finishedAt", "is", null)
    .where("refusedAt", "is", null)
    .where(({ or, eb }) =>
      or([eb("receivedAt", "is not", null), eb("createdAt", ">", announcedSince(services))]),
    );
}

/** An upload without a byte counts for nothing any more if it was announced before this time. */
export function announcedSince({ clock }: Pick<Services, "clock">): Date {
  return new Date(clock.now().getTime() - announcedHours * 3600_000);
}

async function checkNumber(services: Services, trx: Query, userId: string) {
  const open = await openUploads(services, trx).select("userId").execute();
  const own = open.filter((upload) => upload.userId === userId);
  if (own.length >= mostOpen || open.length >= mostOpenInAll)
    throw new Refused("no_room", refusals.tooManyOpen);
}

/** What others have announced and not sent yet is as good as on the disk. */
async function checkRoom(services: Services, size: number) {
  const { db, uploads } = services;
  const room = await uploads.room();
  if (room === Number.POSITIVE_INFINITY) return;
  const open = (await openUploads(services, db.write).selectAll().execute()) as UploadRow[];
  let announced = 0;
  for (const upload of open) announced += upload.size - ((await uploads.received(upload)) ?? 0);
  if (room - announced < size) throw new Refused("no_room", refusals.diskFull);
}

type NewUpload = Pick<UploadRow, "id" | "bucket" | "fileName" | "size" | "lessonId" | "userId"> & {
  moduleId: string;
};

/** Two of one name in one millisecond get keys of different milliseconds. */
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
