import type { Selectable } from "kysely";
import type { UploadsTable } from "../db/authoring-tables.ts";
import { isId } from "../db/ids.ts";
import type { Services } from "../services.ts";
import type { Bucket } from "../storage/storage.ts";

export type UploadRow = Omit<Selectable<UploadsTable>, "bucket"> & { bucket: Bucket };

/**
 * The row of an upload; null for one that never was, was cancelled or is forgotten. Read from
 * where it is written: what one request has just done, the next one sees.
 */
export async function findUpload({ db }: Services, id: string): Promise<UploadRow | null> {
  if (!isId(id)) return null;
  const row = await db.write
    .selectFrom("uploads")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return (row as UploadRow | undefined) ?? null;
}

/**
 * Forgets an upload that did not become a file; with `idle`, only if no byte of it has come since
 * then, or none at all and it was announced before.
 * @returns false for one that stays, and for one that became a file, which is no upload any more
 */
export async function forgetUpload(
  { db }: Services,
  id: string,
  { idle }: { idle?: { since: Date; announcedSince: Date } } = {},
): Promise<boolean> {
  let forgetting = db.write
    .deleteFrom("uploads")
    .where("id", "=", id)
    .where("finishedAt", "is", null);
  if (idle)
    forgetting = forgetting.where(({ or, and, eb }) =>
      or([
        eb("receivedAt", "<", idle.since),
        and([eb("receivedAt", "is", null), eb("createdAt", "<", idle.announcedSince)]),
      ]),
    );
  const { numDeletedRows } = await forgetting.executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/**
 * Writes down that bytes of an upload come now.
 * @returns false when there is no such upload any more
 */
export async function noteBytes({ db, clock }: Services, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db.write
    .updateTable("uploads")
    .set({ receivedAt: clock.now() })
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Keeps what the store calls an upload. */
export async function keepMultipartId({ db }: Services, id: string, multipartId: string) {
  await db.write.updateTable("uploads").set({ multipartId }).where("id", "=", id).execute();
}
