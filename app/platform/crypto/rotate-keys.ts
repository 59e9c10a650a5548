import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Config } from "../config/config.ts";
import type { MasterKey } from "../config/master-key.ts";
import type { Database } from "../db/database.ts";
import { CommandError } from "../utils/errors.ts";
import { AlreadyRunning, takeFolder } from "../utils/lock.ts";
import { keyFile, newMasterKey, readKeyFile, replaceKeyFile } from "./key-file.ts";
import { type Keyring, preferredKey } from "./keyring.ts";
import { currentId, makeCurrent, usedIds } from "./keys-in-use.ts";
import { UnknownMasterKey } from "./person-key.ts";
import { unwrapKey, wrapKey } from "./seal.ts";

type Parts = { config: Config; db: Database; journalKeys: Keyring };

export type Rotated = { keys: number; from: "settings" | "file" };

const batch = 200;

/** The site may run meanwhile; the next run finishes an interrupted one. Only replaced keys leave
 * the file: others may be of a database put aside. @throws {CommandError} when nothing is to do */
export async function rotateKeys(services: Parts): Promise<Rotated> {
  const { config } = services;
  if (config.journalKey || config.databaseUrl) return toSettings(services);
  const unlock = takeRotation(path.join(config.dataDir, "journal-rotation"));
  try {
    return await toNewFile(services);
  } finally {
    unlock();
  }
}

async function toSettings(services: Parts): Promise<Rotated> {
  const { config } = services;
  const wanted = preferredKey(config);
  if (!wanted || !(await isPending(services, wanted)))
    throw new CommandError(
      config.journalKey
        ? "Everything is sealed with JOURNAL_KEY already. To change it: set the new key as JOURNAL_KEY and the one before as JOURNAL_KEY_PREVIOUS, start the site again, then run this again."
        : "Everything is sealed with a key made of AUTH_SECRET. To change it: set JOURNAL_KEY, start the site again, then run this again.",
    );
  return { keys: await wrapAll(services, wanted), from: "settings" };
}

async function toNewFile(services: Parts): Promise<Rotated> {
  const file = keyFile(services.config.dataDir);
  const old = readKeyFile(file);
  const [first] = old;
  const isBegun = first !== undefined && (await isPending(services, first));
  const wanted = isBegun ? first : newMasterKey();
  const replaced = new Set([
    await currentId(services.db.write),
    ...(await usedIds(services.db.write)),
  ]);
  if (!isBegun) replaceKeyFile(file, [wanted, ...old]);
  const keys = await wrapAll(services, wanted);
  const others = old.filter(({ id }) => id !== wanted.id && !replaced.has(id));
  replaceKeyFile(file, [wanted, ...others]);
  return { keys, from: "file" };
}

async function isPending({ db }: Parts, wanted: MasterKey): Promise<boolean> {
  if ((await currentId(db.write)) !== wanted.id) return true;
  return (await usedIds(db.write)).some((id) => id !== wanted.id);
}

async function wrapAll(services: Parts, wanted: MasterKey): Promise<number> {
  // First, so that texts written meanwhile use the new key.
  await makeCurrent(services.db, wanted.id);
  let done = 0;
  for (;;) {
    const old = (await usedIds(services.db.write)).find((id) => id !== wanted.id);
    if (old === undefined) return done;
    done += await wrapSome(services, old, wanted);
  }
}

async function wrapSome({ db, journalKeys }: Parts, oldId: string, wanted: MasterKey) {
  const old = journalKeys.find(oldId);
  if (!old) throw new UnknownMasterKey(oldId);
  const rows = await db.write
    .selectFrom("journalKeys")
    .select(["userId", "wrappedKey"])
    .where("masterId", "=", oldId)
    .orderBy("userId")
    .limit(batch)
    .execute();
  const wrapped = rows.map(({ userId, wrappedKey }) => ({
    userId,
    wrappedKey: wrapKey(wanted, userId, unwrapKey(old, userId, wrappedKey)),
  }));
  await db.transaction(async (trx) => {
    for (const { userId, wrappedKey } of wrapped)
      await trx
        .updateTable("journalKeys")
        .set({ wrappedKey, masterId: wanted.id })
        .where("userId", "=", userId)
        .where("masterId", "=", oldId)
        .execute();
  });
  return rows.length;
}

function takeRotation(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return takeFolder(folder, {
      taken: "The key is being changed already. Wait until that is done.",
      name: "DATA_DIR",
    });
  } catch (error) {
    throw error instanceof AlreadyRunning ? new CommandError(error.message) : error;
  }
}
