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
 * Forgets an upload that did not become a file.
 * @returns false for one that did, which is no upload any more
 */
export async function forgetUpload({ db }: Services, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.write
    .deleteFrom("uploads")
    .where("id", "=", id)
    .where("finishedAt", "is", null)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Keeps what the store calls an upload. */
export async function keepMultipartId({ db }: Services, id: string, multipartId: string) {
  await db.write.updateTable("uploads").set({ multipartId }).where("id", "=", id).execute();
}
