import { type Config, ConfigError } from "../config/config.ts";
import { type MasterKey, masterKey, masterKeyFrom } from "../config/master-key.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../utils/clock.ts";
import { createKeyFile, keyFile, readKeyFile } from "./key-file.ts";
import { currentId, startWith, usedIds } from "./keys-in-use.ts";

export type KeySettings = Pick<
  Config,
  "dataDir" | "databaseUrl" | "authSecret" | "journalKey" | "journalKeyPrevious"
>;

export type Keyring = {
  /** Null for an unknown one, after reading the file again for a key that a command has added. */
  find(id: string): MasterKey | null;
};

export function knownKeys(config: KeySettings): Keyring {
  const { journalKey, journalKeyPrevious } = config;
  const known = new Map<string, MasterKey>();
  const add = (key: MasterKey) => known.set(key.id, key);
  add(masterKeyFrom(config.authSecret));
  for (const bytes of [journalKey, journalKeyPrevious]) if (bytes) add(masterKey(bytes));
  const addFile = () => readKeyFile(keyFile(config.dataDir)).forEach(add);
  addFile();
  return {
    find(id) {
      if (!known.has(id)) addFile();
      return known.get(id) ?? null;
    },
  };
}

/** Creates DATA_DIR/journal-key only when there is no other key and nothing is encrypted yet.
 * @throws {ConfigError} when the database uses an unknown key */
export async function openKeyring(
  config: KeySettings,
  { db, clock }: { db: Database; clock: Clock },
): Promise<Keyring> {
  const keyring = knownKeys(config);
  const unknown = (await usedIds(db.write)).filter((id) => !keyring.find(id));
  if (unknown.length > 0) throw new ConfigError([cannotOpen(config, unknown)]);
  const own = preferredKey(config) ?? createKeyFile(keyFile(config.dataDir))[0];
  if (own) await startWith(db, clock, own.id, (id) => keyring.find(id) !== null);
  const current = await currentId(db.write);
  if (!keyring.find(current)) throw new ConfigError([cannotOpen(config, [current])]);
  return keyring;
}

/** The key that wraps new users' keys; undefined where a file must be created first. */
export function preferredKey(config: KeySettings): MasterKey | undefined {
  if (config.journalKey) return masterKey(config.journalKey);
  if (config.databaseUrl) return masterKeyFrom(config.authSecret);
  return readKeyFile(keyFile(config.dataDir))[0];
}

export function cannotOpen(config: KeySettings, unknown: readonly string[]): string {
  const what = `what students wrote is sealed with a key that is not here (fingerprint ${unknown.join(", ")})`;
  const unchanged = "Nothing was changed, and no new key was made.";
  if (config.journalKey)
    return `JOURNAL_KEY: ${what}. Set the key it had before, or set that one as JOURNAL_KEY_PREVIOUS. ${unchanged}`;
  if (config.databaseUrl)
    return `JOURNAL_KEY: ${what}. Set it as it was; if it was never set, AUTH_SECRET is another one than before: put the old one back. ${unchanged}`;
  return `DATA_DIR: ${what}. Put the file ${keyFile(config.dataDir)} back, which each backup has, or set JOURNAL_KEY if it was set before. ${unchanged}`;
}
