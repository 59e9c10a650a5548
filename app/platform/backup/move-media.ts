import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { countOf, openDatabase } from "../db/database.ts";
import { localStorage } from "../storage/local.ts";
import type { Storage } from "../storage/storage.ts";
import { CommandError } from "../utils/errors.ts";
import { sumOf } from "./files.ts";
import { type NamedFile, namedIn, piecesOf, withFile } from "./named-media.ts";
import { retryingStorage } from "./patient-storage.ts";

export type MovedMedia = {
  copied: number;
  already: number;
  missing: NamedFile[];
  /** Incomplete uploads, which start again after the switch. */
  uploads: number;
};

/** Reads each copied file back. Idempotent: files never change under their key, so a second run
 * copies only new ones. @throws {CommandError} */
export async function moveMedia(config: Config): Promise<MovedMedia> {
  const root = path.join(config.dataDir, "media");
  if (!config.s3)
    throw new CommandError(
      "S3_ENDPOINT is not set: where to? Set it with its keys, for this command or in .env.",
    );
  if (!existsSync(root)) throw new CommandError(`DATA_DIR: there is no folder ${root}.`);
  const [here, there] = [localStorage(root, config.authSecret), retryingStorage(config)];
  await there.prepare();
  const db = await openDatabase(config, () => {});
  try {
    const moved: MovedMedia = { copied: 0, already: 0, missing: [], uploads: 0 };
    for (const file of await namedIn(db.read)) {
      const outcome = await copyOne(here, there, root, file);
      if (outcome === "missing") moved.missing.push(file);
      else moved[outcome] += 1;
    }
    const open = db.read.selectFrom("uploads").where("finishedAt", "is", null);
    return { ...moved, uploads: await countOf(open.where("refusedAt", "is", null)) };
  } finally {
    await db.close();
  }
}

async function copyOne(here: Storage, there: Storage, root: string, file: NamedFile) {
  const { bucket, key } = file;
  const stored = await there.find(bucket, key);
  const own = await here.find(bucket, key);
  if (!own) return stored ? "already" : "missing";
  if (stored?.size === own.size && (await isSame(here, there, file))) return "already";
  await there.putFile(bucket, key, path.join(root, bucket, key));
  if (!(await isSame(here, there, file)))
    throw new CommandError(
      `${bucket}/${key} did not arrive as it was sent. Nothing here was changed; run this again.`,
    );
  return "copied";
}

async function isSame(one: Storage, other: Storage, file: NamedFile): Promise<boolean> {
  const [a, b] = [await sumAt(one, file), await sumAt(other, file)];
  return a !== undefined && a === b;
}

async function sumAt(storage: Storage, file: NamedFile): Promise<string | undefined> {
  return (await withFile(storage, file, (open) => sumOf(piecesOf(open))))?.sha256;
}
