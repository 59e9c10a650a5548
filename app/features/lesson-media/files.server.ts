import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { AuditAction } from "~/features/audit-log/messages.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import type { UploadRow } from "~/platform/uploads/rows.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { fileMessages, mostFiles } from "./file-messages.ts";
import { downloadName, fileBucket, fileTitle, moveBefore, titleOfFile } from "./files.ts";
import { mediaUrl } from "./media.server.ts";
import type { FileRequest } from "./schema.ts";

/** A file of a lesson's list. `size` in bytes; `fileName` as it was uploaded. */
export type LessonFile = Awaited<ReturnType<typeof listFiles>>[number];

/** A lesson's files in their order, with one query; the lesson may not be saved yet. */
export function listFiles(db: Query, lessonId: string) {
  return filesOf(db, lessonId).orderBy("lessonFiles.orderNum").orderBy("lessonFiles.id").execute();
}

function filesOf(db: Query, lessonId: string) {
  return db
    .selectFrom("lessonFiles")
    .innerJoin("mediaFiles", "mediaFiles.id", "lessonFiles.fileId")
    .select(["lessonFiles.id", "lessonFiles.title", "mediaFiles.fileName", "mediaFiles.size"])
    .where("lessonFiles.lessonId", "=", lessonId);
}

/** An address for an hour. Null if the lesson has no such file; `url` is null without an answer of
 * storage. */
export async function fileAddress(
  services: Services,
  { lessonId, fileId }: { lessonId: string; fileId: string },
): Promise<{ url: string | null } | null> {
  if (!isId(lessonId) || !isId(fileId)) return null;
  const file = await filesOf(services.db.read, lessonId)
    .select("mediaFiles.key")
    .where("lessonFiles.id", "=", fileId)
    .executeTakeFirst();
  return file ? { url: await mediaUrl(services, fileBucket, file.key, downloadName(file)) } : null;
}

/** Adds an uploaded file to its lesson, which the caller has locked. @returns its title */
export async function attachFile(trx: Query, upload: UploadRow, now: Date): Promise<string> {
  const { id, lessonId, fileName } = upload;
  const others = await listFiles(trx, lessonId);
  const title = titleOfFile(fileName, others);
  await trx
    .insertInto("lessonFiles")
    .values({ id, lessonId, fileId: id, title, orderNum: others.length + 1, createdAt: now })
    .execute();
  await setOrder(trx, [...others.map((file) => file.id), id]);
  return title;
}

/** @throws {Refused} invalid if the lesson has, or soon will have, as many files as it may */
export async function requireFileRoom(trx: Query, lessonId: string): Promise<void> {
  const listed = await trx
    .selectFrom("lessonFiles")
    .select("id")
    .where("lessonId", "=", lessonId)
    .execute();
  const coming = await trx
    .selectFrom("uploads")
    .select("id")
    .where("lessonId", "=", lessonId)
    .where("bucket", "=", fileBucket)
    .where("finishedAt", "is", null)
    .where("refusedAt", "is", null)
    .execute();
  if (listed.length + coming.length >= mostFiles)
    throw new Refused("invalid", fileMessages.tooMany);
}

/** Renames, moves or removes a file of a lesson, saved or not. Idempotent.
 * @throws {Refused} invalid; not_found; conflict where it is not as its author saw it */
export async function changeFile(
  services: Services,
  { lessonId, ...asked }: FileRequest & { lessonId: string },
): Promise<void> {
  const { db } = services;
  await db.transaction(async (trx) => {
    await lockId(db, trx, lessonId);
    const files = await listFiles(trx, lessonId);
    const file = files.find(({ id }) => id === asked.file);
    if (!file) {
      if (asked.intent === "remove") return;
      throw new Refused("not_found", fileMessages.gone);
    }
    const audit = (action: AuditAction, title: string) =>
      auditFile(trx, services, { action, lessonId, title });
    const entry = () => trx.updateTable("lessonFiles").where("id", "=", file.id);
    if (asked.intent === "remove") {
      await trx.deleteFrom("lessonFiles").where("id", "=", file.id).execute();
      await audit("lesson.media-removed", file.title);
    } else if (asked.intent === "rename") {
      const title = fileTitle(asked.title);
      if (!title) throw new Refused("invalid", fileMessages.noTitle);
      if (title === file.title) return;
      if (file.title !== asked.before)
        throw new Refused("conflict", fileMessages.renamed(file.title));
      await entry().set({ title }).execute();
      await audit("lesson.file-renamed", title);
    } else {
      const ids = files.map(({ id }) => id);
      const order = moveBefore(ids, { id: file.id, beforeId: asked.beforeId });
      if (!order) throw new Refused("conflict", fileMessages.orderChanged);
      if (String(order) === String(ids)) return;
      await setOrder(trx, order);
      await audit("lesson.files-arranged", file.title);
    }
  });
}

async function setOrder(trx: Query, ids: string[]): Promise<void> {
  for (const [index, id] of ids.entries())
    await trx
      .updateTable("lessonFiles")
      .set({ orderNum: index + 1 })
      .where("id", "=", id)
      .where("orderNum", "!=", index + 1)
      .execute();
}

async function auditFile(
  trx: Query,
  by: Pick<Services, "actor" | "clock">,
  { action, lessonId, title }: { action: AuditAction; lessonId: string; title: string },
): Promise<void> {
  const lesson = await trx
    .selectFrom("lessons")
    .select("title")
    .where("id", "=", lessonId)
    .executeTakeFirst();
  await recordAudit(trx, by, {
    ...{ action, id: lessonId, label: lesson?.title },
    details: { media: title },
  });
}
