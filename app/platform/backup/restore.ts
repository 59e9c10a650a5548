import { existsSync, statSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { migrateAt, sqliteFile } from "../db/database.ts";
import { migrationNames } from "../db/migrate.ts";
import { BadRow } from "../db-copy/cells.ts";
import { moveToPostgres } from "../db-copy/move.ts";
import { openSnapshot } from "../db-copy/sqlite.ts";
import { CannotMove, lookAt } from "../db-copy/target.ts";
import { createLog } from "../log/log.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredBytes } from "../uploads/bytes.ts";
import { openUploads } from "../uploads/open.ts";
import { CommandError } from "../utils/errors.ts";
import { takeDataDir } from "../utils/lock.ts";
import { flush, sumOf } from "./files.ts";
import { type MissingKeys, missingKeys, rewrapKeys, takeOverKeys } from "./keys.ts";
import {
  checkBackup,
  databaseName,
  type Manifest,
  type MediaEntry,
  mediaPath,
  secretName,
} from "./manifest.ts";
import { piecesOf, withFile } from "./named-media.ts";
import { retryingStorage, why } from "./patient-storage.ts";

/** Overwrites nothing. Media comes first and the database last, in one step: an interrupted restore
 * can be run again. @throws {CommandError} */
export async function restoreBackup(config: Config, source: string): Promise<Manifest> {
  const folder = path.resolve(source);
  const manifest = await checkBackup(folder);
  const database = path.join(folder, databaseName);
  requireKnown(database);
  const unlock = takeDataDir(config.dataDir);
  const work = path.join(config.dataDir, "restoring");
  try {
    const copy = config.databaseUrl ? await upToDate(database, work) : null;
    const missing = missingKeys(config, folder, copy ?? database);
    if (copy) rewrapKeys(config, missing, copy);
    if (copy) await inWords(look(config, copy));
    else requireNoDatabase(sqliteFile(config));
    const storage = retryingStorage(config);
    await storage.prepare();
    const there = await requireNoForeignTables(config, storage, manifest);
    for (const entry of manifest.media)
      if (!there.has(mediaPath(entry)))
        await storage.putFile(entry.bucket, entry.key, path.join(folder, mediaPath(entry)));
    if (copy) await inWords(intoPostgres(config, copy));
    else await intoSqlite(config, folder, missing);
    return manifest;
  } finally {
    await rm(work, { recursive: true, force: true });
    unlock();
  }
}

// This version might misread what a newer one wrote.
function requireKnown(database: string) {
  const snapshot = openSnapshot(database);
  const unknown = snapshot.migrations.filter((name) => !migrationNames.includes(name));
  snapshot.close();
  if (unknown.length > 0)
    throw new CommandError(
      `This backup was made by a newer version of the site (${unknown.join(", ")}). Restore it with that version.`,
    );
}

function requireNoDatabase(file: string) {
  const found = [file, `${file}-wal`].find((name) => existsSync(name) && statSync(name).size > 0);
  if (found)
    throw new CommandError(
      `There is a database already: ${found}. Nothing was changed. If it may go, put it aside (with the files beside it that begin with site.db), or set DATA_DIR to another folder; then run this again.`,
    );
}

// The backup's files may be there: from an earlier try, or a store that outlived its database.
async function requireNoForeignTables(config: Config, storage: Storage, manifest: Manifest) {
  const entries = new Map(manifest.media.map((entry) => [mediaPath(entry), entry]));
  const there = new Set<string>();
  const strangers: string[] = [];
  for (const stored of await listed(config, storage)) {
    if (stored.what !== "file" || stored.key === ".site") continue;
    const place = mediaPath(stored);
    const entry = entries.get(place);
    if (entry && (await isThere(storage, entry))) there.add(place);
    else strangers.push(`${stored.bucket}/${stored.key}`);
  }
  if (strangers.length > 0)
    throw new CommandError(
      `${storage.kind === "s3" ? "The store" : path.join(config.dataDir, "media")} has files that are not in this backup, or not the same: ${strangers.slice(0, 3).join(", ")}${strangers.length > 3 ? ` and ${strangers.length - 3} more` : ""}. Nothing was changed. ${storage.kind === "s3" ? "Set S3_BUCKET_PREFIX to buckets that are empty" : "Put that folder aside"}, then run this again.`,
    );
  return there;
}

async function listed(config: Config, storage: Storage): Promise<StoredBytes[]> {
  const all: StoredBytes[] = [];
  try {
    const uploads = openUploads(config, storage, createLog("silent"));
    for await (const portion of uploads.everything()) all.push(...portion);
  } catch (error) {
    if (storage.kind !== "s3") throw error;
    throw new CommandError(
      `The store does not say what is in it (${why(error)}). Nothing was changed. Run this again when it is well.`,
      { cause: error },
    );
  }
  return all;
}

async function isThere(storage: Storage, { bucket, key, size, sha256 }: MediaEntry) {
  const sum = await withFile(storage, { bucket, key }, (file) =>
    file.size === size ? sumOf(piecesOf(file)) : Promise.resolve(null),
  );
  return sum?.sha256 === sha256;
}

async function intoSqlite(config: Config, folder: string, missing: MissingKeys) {
  const { dataDir } = config;
  const file = sqliteFile({ dataDir });
  const part = `${file}.restoring`;
  await rm(part, { force: true });
  await copyFile(path.join(folder, databaseName), part);
  await flush(part);
  if (!process.env.AUTH_SECRET) await putSecret(dataDir, path.join(folder, secretName));
  takeOverKeys(config, missing);
  await rename(part, file);
  await flush(dataDir);
}

// The secret that was there signed nothing of this database.
async function putSecret(dataDir: string, source: string) {
  const part = path.join(dataDir, "secret.restoring");
  await rm(part, { force: true });
  await writeFile(part, "", { mode: 0o600 });
  await copyFile(source, part);
  await flush(part);
  await rename(part, path.join(dataDir, "secret"));
}

// On a copy, since an older database is migrated before it is read.
async function upToDate(database: string, folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const copy = path.join(folder, databaseName);
  await copyFile(database, copy);
  await migrateAt({ file: copy });
  return copy;
}

async function look({ databaseUrl = "" }: Config, database: string) {
  const { tables, close } = openSnapshot(database);
  close();
  await lookAt(databaseUrl, { tables, site: null });
}

async function intoPostgres({ databaseUrl = "" }: Config, database: string) {
  await moveToPostgres(database, databaseUrl, { site: null, tell() {} });
}

async function inWords<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof CannotMove || error instanceof BadRow)
      throw new CommandError(error.message);
    throw error;
  });
}

export async function newestIn(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  const backups = names.filter((name) => existsSync(path.join(folder, name, "manifest.json")));
  return backups.sort().at(-1) ?? null;
}
