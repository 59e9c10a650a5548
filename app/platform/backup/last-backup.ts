import type { Config } from "../config/config.ts";
import { type Query, sqliteFile } from "../db/database.ts";
import { openPostgres } from "../db/postgres.ts";
import { openSqlite } from "../db/sqlite.ts";

/** The row of the settings that says when the last backup was made. No backup carries it: a restored
 * site has none of its own yet. */
export const lastBackupSetting = "last-backup";

/** Writes into the live database, beside a running site, that a backup was made. */
export async function noteBackup(config: Config, madeAt: Date): Promise<void> {
  const db = config.databaseUrl
    ? openPostgres(config.databaseUrl, { onError: () => {}, silence: config.databaseSilenceMs })
    : openSqlite(sqliteFile(config), "write");
  try {
    await db
      .insertInto("settings")
      .values({ name: lastBackupSetting, value: "", createdAt: madeAt })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({ createdAt: madeAt })
          .where("settings.createdAt", "<", madeAt),
      )
      .execute();
  } finally {
    await db.destroy();
  }
}

/** When the last backup of this site was begun; null where none was made on it. */
export async function findLastBackup(db: Query): Promise<Date | null> {
  const row = await db
    .selectFrom("settings")
    .select("createdAt")
    .where("name", "=", lastBackupSetting)
    .executeTakeFirst();
  return row?.createdAt ?? null;
}
