import { chmodSync, existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../config/config.ts";
import { migrateAt, sqliteFile } from "../db/database.ts";
import { gatherFromPostgres } from "../db-copy/move.ts";
import { openSnapshot } from "../db-copy/sqlite.ts";
import { CommandError } from "../utils/errors.ts";
import { lastBackupSetting } from "./last-backup.ts";

/** Copies the database at one moment, while others write, into a new SQLite file. */
export async function copyDatabase(config: Config, to: string) {
  if (config.databaseUrl) {
    await migrateAt({ file: to });
    await gatherFromPostgres(config.databaseUrl, to);
  } else copySqlite(sqliteFile(config), to);
  chmodSync(to, 0o600);
  checkFile(to);
  const snapshot = openSnapshot(to);
  try {
    const tables = snapshot.tables.map((name) => [name, snapshot.count(name)] as const);
    return { tables: Object.fromEntries(tables), site: snapshot.siteId() };
  } finally {
    snapshot.close();
  }
}

function copySqlite(file: string, to: string) {
  if (!existsSync(file))
    throw new CommandError(`DATA_DIR: there is no ${file}: there is nothing to back up.`);
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    database.prepare("vacuum into ?").run(to);
  } finally {
    database.close();
  }
}

function checkFile(file: string) {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma journal_mode = delete");
    database.prepare("delete from settings where name = ?").run(lastBackupSetting);
    forgetDeletedWords(database);
    const [found] = database.prepare("pragma quick_check(1)").all();
    const [pointless] = database.prepare("pragma foreign_key_check").all();
    const damage =
      found?.quick_check === "ok"
        ? pointless && `a row of ${pointless.table} points to one that is not there`
        : found?.quick_check;
    if (damage)
      throw new CommandError(
        `The site's database is damaged (${damage}). No backup was made of it; older ones are as they were.`,
      );
  } finally {
    database.close();
  }
}

// The site itself does this once a day (platform/db/wipe.ts).
function forgetDeletedWords(database: DatabaseSync) {
  const index = "select 1 from sqlite_schema where name = 'people_search'";
  // A site that was last started in an older version has no index.
  if (!database.prepare(index).get()) return;
  database.exec("insert into people_search (people_search) values ('optimize')");
  database.exec("vacuum");
}
