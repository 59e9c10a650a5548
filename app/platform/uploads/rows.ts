import type { Selectable } from "kysely";
import type { Config } from "../config/config.ts";
import type { UploadsTable } from "../db/course-tables.ts";
import type { Database } from "../db/database.ts";
import { isId } from "../db/ids.ts";
import type { Log } from "../log/log.ts";
import type { Bucket } from "../storage/storage.ts";
import type { Clock } from "../utils/clock.ts";
import type { UploadBytes } from "./bytes.ts";

export type UploadServices = {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
  uploads: UploadBytes;
};

export type UploadRow = Omit<Selectable<UploadsTable>, "bucket"> & { bucket: Bucket };

/** Null for an upload that never was, was cancelled or deleted. Reads through db.write: the next
 * request sees what one has just done. */
export async function findUpload(
  { db }: Pick<UploadServices, "db">,
  id: string,
): Promise<UploadRow | null> {
  if (!isId(id)) return null;
  const row = await db.write
    .selectFrom("uploads")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return (row as UploadRow | undefined) ?? null;
}

/** Deletes an upload that did not become a file; with `idle`, only if no byte has come since then,
 * or none at all and it was announced before. @returns false if nothing was deleted */
export async function forgetUpload(
  { db }: Pick<UploadServices, "db">,
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
