import { copyFile, link, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { type Config, lacksSecret } from "../config/config.ts";
import { knownKeys } from "../crypto/keyring.ts";
import { BadRow } from "../db-copy/cells.ts";
import { CannotMove } from "../db-copy/target.ts";
import { explain } from "../explain/explain.ts";
import type { Storage } from "../storage/storage.ts";
import { systemClock } from "../utils/clock.ts";
import { CommandError } from "../utils/errors.ts";
import { AlreadyRunning, takeFolder } from "../utils/lock.ts";
import { copyDatabase } from "./database-copy.ts";
import { flush, ofText, sumOfFile, writeFileForGood } from "./files.ts";
import { putKeys } from "./keys.ts";
import { noteBackup } from "./last-backup.ts";
import {
  databaseName,
  type Manifest,
  type MediaEntry,
  manifestName,
  manifestText,
  mediaPath,
  readManifest,
  secretName,
} from "./manifest.ts";
import { type NamedFile, namedMedia, piecesOf, withFile } from "./named-media.ts";
import { backupsIn, removeOld, removeUnfinished, unfinished } from "./old.ts";
import { retryingStorage } from "./patient-storage.ts";

export type Made = {
  folder: string;
  manifest: Manifest;
  linked: number;
  /** Lost by storage since the last backup. While there are any, no backup is removed. */
  lost: NamedFile[];
  removed: string[];
  left: string[];
  /** Whether the site's database says when it was made; a backup that only reads it does without. */
  noted: boolean;
};

/** Copies the database at one moment, then the files that it references. Files never change under
 * their key, so those of the last backup are not copied again. An interrupted run leaves nothing
 * that looks like a backup. @param keep backups of this site to retain @throws {CommandError} */
export async function makeBackup(
  config: Config,
  target: string,
  { keep, version }: { keep?: number | undefined; version: string },
): Promise<Made> {
  const folder = path.resolve(target);
  const unlock = await takeTarget(folder);
  try {
    const left = await removeUnfinished(folder);
    const name = systemClock.now().toISOString().replaceAll(":", "-");
    const work = path.join(folder, unfinished + name);
    try {
      await mkdir(work, { mode: 0o700 });
      const { manifest, linked, lost } = await fill(config, work, { folder, version });
      await rename(work, path.join(folder, name));
      await flush(folder);
      const noted = await noteBackup(config, new Date(manifest.madeAt)).then(
        () => true,
        () => false,
      );
      const isToTidy = keep !== undefined && lost.length === 0;
      const old = isToTidy
        ? await removeOld(folder, { keep, made: name, site: manifest.site })
        : { removed: [], left: [] };
      return {
        folder: path.join(folder, name),
        manifest,
        linked,
        lost,
        noted,
        removed: old.removed,
        left: [...left, ...old.left],
      };
    } catch (error) {
      await rm(work, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    throw explained(error, folder);
  } finally {
    unlock();
  }
}

async function takeTarget(folder: string): Promise<() => void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return takeFolder(folder, {
      taken: `Another backup is being made in ${folder}. Wait until it is done.`,
      name: "The backup",
    });
  } catch (error) {
    if (error instanceof AlreadyRunning) throw new CommandError(error.message);
    if (isFull(error)) throw explained(error, folder);
    throw new CommandError(`${folder} cannot be written to (${(error as Error).message}).`);
  }
}

async function fill(
  config: Config,
  work: string,
  { folder, version }: { folder: string; version: string },
) {
  const madeAt = systemClock.now().toISOString();
  const database = path.join(work, databaseName);
  // Before the copy: keys that are rotated meanwhile may be gone afterwards.
  const keyring = knownKeys(config);
  const { tables, site } = await copyDatabase(config, database);
  if (lacksSecret(config))
    throw new CommandError(`${path.join(config.dataDir, secretName)} is missing. Put it back.`);
  const keys = await putKeys(config, keyring, { work, database });
  await flush(database);
  const storage = retryingStorage(config);
  const before = await lastBackup(folder, site);
  const media: MediaEntry[] = [];
  const missing: NamedFile[] = [];
  const lost: NamedFile[] = [];
  let linked = 0;
  for (const file of await namedMedia(database)) {
    const to = path.join(work, mediaPath(file));
    const stored = await storage.find(file.bucket, file.key);
    const known = before?.files.get(mediaPath(file));
    if (known && !stored) lost.push(file);
    // Bytes never change under a key: the last backup still has what storage has lost.
    const isSame = known && (stored?.size ?? known.size) === known.size;
    const taken = isSame && (await takeOver(before?.folder ?? "", known, to));
    if (taken) linked += 1;
    const entry = taken ? known : await copyMedia(storage, file, to);
    if (entry) media.push(entry);
    else missing.push(file);
  }
  const manifest: Manifest = {
    format: 2,
    site,
    madeAt,
    version,
    from: { database: config.databaseUrl ? "postgres" : "sqlite", media: storage.kind },
    tables,
    database: await sumOfFile(database),
    secret: await writeFileForGood(path.join(work, secretName), ofText(config.authSecret)),
    keys,
    media,
    missing,
  };
  await writeFileForGood(path.join(work, manifestName), ofText(manifestText(manifest)));
  for (const name of await readdir(work, { recursive: true, withFileTypes: true }))
    if (name.isDirectory()) await flush(path.join(name.parentPath, name.name));
  await flush(work);
  return { manifest, linked, lost };
}

type Before = { folder: string; files: Map<string, MediaEntry> };

async function lastBackup(folder: string, site: string | null): Promise<Before | null> {
  for (const name of (await backupsIn(folder)).toReversed()) {
    const manifest = await readManifest(path.join(folder, name)).catch(() => null);
    if (!manifest || manifest.site !== site) continue;
    const files = new Map(manifest.media.map((entry) => [mediaPath(entry), entry]));
    return { folder: path.join(folder, name), files };
  }
  return null;
}

async function takeOver(folder: string, entry: MediaEntry, to: string): Promise<boolean> {
  const from = path.join(folder, mediaPath(entry));
  try {
    if ((await stat(from)).size !== entry.size) return false;
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    await link(from, to).catch(() => copyFile(from, to));
    await flush(to);
    return true;
  } catch {
    return false;
  }
}

async function copyMedia(storage: Storage, file: NamedFile, to: string) {
  const sum = await withFile(storage, file, (open) => writeFileForGood(to, piecesOf(open)));
  return sum && { ...file, ...sum };
}

const full = new Set<unknown>(["ENOSPC", "EDQUOT", 13]);

function isFull(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return full.has(code) || full.has(errcode);
}

function explained(error: unknown, folder: string): unknown {
  const { errcode } = error as { errcode?: number };
  if (isFull(error))
    return new CommandError(
      `There is no room in ${folder}: no backup was made. Older ones are as they were.`,
    );
  if (error instanceof CannotMove || error instanceof BadRow)
    return new CommandError(`${error.message} No backup was made.`);
  if (error instanceof CommandError || errcode !== undefined) return error;
  return new CommandError(`No backup was made. ${explain(error)}`, { cause: error });
}
