import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { type Config, ConfigError, readSecret, writeSecret } from "~/platform/config/config.ts";
import { type Database, isAny, sqliteFile } from "~/platform/db/database.ts";
import { openPostgres } from "~/platform/db/postgres.ts";

/** A site whose database is gone must not begin anew over what is left of it: its journals and
 * media would seem lost, and a restore refused. @throws {ConfigError} */
export async function requireDatabase(config: Config): Promise<void> {
  const left = leftIn(config);
  if (left.length === 0 || (await hasTables(config))) return;
  const { dataDir, databaseUrl } = config;
  const where = databaseUrl
    ? "DATABASE_URL: the database is empty"
    : "DATA_DIR: site.db is missing or empty";
  const ways = databaseUrl
    ? "Set the right address, move the site there (npm run db:move) or restore a backup (npm run restore)"
    : "Put site.db back, or restore a backup (npm run restore)";
  throw new ConfigError([
    `${where}, but ${dataDir} has the ${left.join(", ")} of a site. Nothing was changed. ${ways}. To begin a new site all the same: npm start -- --new`,
  ]);
}

/** Writes a new DATA_DIR/secret, unless accounts depend on one that is gone.
 * @returns the secret, which another process may have written meanwhile @throws {ConfigError} */
export async function keepSecret(config: Config, db: Database): Promise<string> {
  if (!config.secretIsNew) return config.authSecret;
  const written = readSecret(config.dataDir);
  if (written) return written;
  if (await isAny(db.write.selectFrom("profiles"))) {
    const file = path.join(config.dataDir, "secret");
    throw new ConfigError([
      `DATA_DIR: ${file} is missing, and sessions, links in emails and two-factor depend on it. Nothing was changed. Put it back, each backup has it, or set AUTH_SECRET if it was set before. If it is lost: openssl rand -hex 32 > ${file}; then everybody has to sign in again, links in emails are void, and two-factor must be reset (npm run factor:reset)`,
    ]);
  }
  writeSecret(config);
  return config.authSecret;
}

function leftIn({ dataDir, databaseUrl }: Config): string[] {
  const named = ["secret", "journal-key"].filter((name) => existsSync(path.join(dataDir, name)));
  const media = path.join(dataDir, "media");
  if (
    existsSync(media) &&
    readdirSync(media, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())
  )
    named.push("media");
  if (databaseUrl && hasSqliteTables(sqliteFile({ dataDir }))) named.push("site.db");
  return named;
}

async function hasTables({ databaseUrl, dataDir }: Config): Promise<boolean> {
  if (!databaseUrl) return hasSqliteTables(sqliteFile({ dataDir }));
  const db = openPostgres(databaseUrl, { onError: () => {} });
  try {
    const { rows } = await sql<{ is: boolean }>`
      select to_regclass('kysely_migration') is not null as is
    `.execute(db);
    return rows[0]?.is === true;
  } finally {
    await db.destroy();
  }
}

function hasSqliteTables(file: string): boolean {
  if (!existsSync(file) || statSync(file).size === 0) return false;
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database.prepare("select 1 from sqlite_schema limit 1").get() !== undefined;
    } finally {
      database.close();
    }
  } catch {
    // Opening it says what is wrong with it.
    return true;
  }
}
