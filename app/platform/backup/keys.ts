import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "../config/config.ts";
import type { MasterKey } from "../config/master-key.ts";
import { keysFor, othersIn, rewrapFile, unknownIn } from "../crypto/key-copies.ts";
import { copyKeyFile, keyFile, keyLines, readKeyFile, replaceKeyFile } from "../crypto/key-file.ts";
import { cannotOpen, type Keyring, knownKeys, preferredKey } from "../crypto/keyring.ts";
import { systemClock } from "../utils/clock.ts";
import { CommandError } from "../utils/errors.ts";
import { type FileSum, ofText, writeFileForGood } from "./files.ts";
import { keysName } from "./manifest.ts";

/** @throws {CommandError} for unknown keys: such a backup would be useless */
export async function putKeys(
  config: Config,
  keyring: Keyring,
  { work, database }: { work: string; database: string },
): Promise<FileSum | undefined> {
  const keys = keysFor(database, config, keyring);
  if (keys.length === 0) return undefined;
  return writeFileForGood(path.join(work, keysName), ofText(keyLines(keys)));
}

export type MissingKeys = { ids: string[]; keys: MasterKey[] };

export function missingKeys(config: Config, folder: string, database: string): MissingKeys {
  const ids = unknownIn(database, knownKeys(config));
  if (ids.length === 0) return { ids, keys: [] };
  const file = path.join(folder, keysName);
  const keys = existsSync(file) ? readKeyFile(file) : [];
  if (ids.every((id) => keys.some((key) => key.id === id))) return { ids, keys };
  throw new CommandError(
    `${cannotOpen(config, ids)} The backup has no file ${keysName} with it: put that back into ${folder}, or set JOURNAL_KEY_PREVIOUS to what is in it.`,
  );
}

/** The folder's old keys stay in a file beside: a database that was put aside may need them. */
export function takeOverKeys({ dataDir }: Config, { ids, keys }: MissingKeys): void {
  if (ids.length === 0) return;
  const file = keyFile(dataDir);
  if (existsSync(file)) copyKeyFile(file, systemClock.now());
  replaceKeyFile(file, keys);
}

/** All machines have the key of the settings; a folder's key would be useless to the others. */
export function rewrapKeys(config: Config, { keys }: MissingKeys, database: string): void {
  const master = preferredKey(config);
  const others = othersIn(database, master);
  if (others.length === 0 || !master) return;
  const known = knownKeys(config);
  const old = others.flatMap((id) => keys.find((key) => key.id === id) ?? known.find(id) ?? []);
  rewrapFile(database, old, master);
}
