import { DatabaseSync } from "node:sqlite";
import type { MasterKey } from "../config/master-key.ts";
import { CommandError } from "../utils/errors.ts";
import { cannotOpen, type Keyring, type KeySettings } from "./keyring.ts";
import { CannotOpen, unwrapKey, wrapKey } from "./seal.ts";

function usedIn(file: string): { used: string[]; current: string | null } {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const first = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(row.id));
  try {
    if (first("select name as id from sqlite_schema where name = 'journal_keys'").length === 0)
      return { used: [], current: null };
    const [current = null] = first("select value as id from settings where name = 'journal-key'");
    return { used: first("select distinct master_id as id from journal_keys"), current };
  } finally {
    database.close();
  }
}

/** Fingerprints of keys, except `master`, that a SQLite file is or will be encrypted with. */
export function othersIn(file: string, master: MasterKey | undefined): string[] {
  const { used, current } = usedIn(file);
  const ids = new Set(current === null ? used : [current, ...used]);
  return [...ids].filter((id) => id !== master?.id);
}

export function unknownIn(file: string, keyring: Keyring): string[] {
  return usedIn(file).used.filter((id) => !keyring.find(id));
}

/** The current key comes first. @throws {CommandError} when a key is unknown */
export function keysFor(file: string, config: KeySettings, keyring: Keyring): MasterKey[] {
  const unknown = unknownIn(file, keyring);
  if (unknown.length > 0) throw new CommandError(cannotOpen(config, unknown));
  return othersIn(file, undefined).flatMap((id) => keyring.find(id) ?? []);
}

/** Rewraps every user's key in a SQLite file. A damaged one stays: it decrypts nothing, and must
 * not keep everything else from being restored. */
export function rewrapFile(file: string, old: readonly MasterKey[], master: MasterKey): void {
  const byId = new Map(old.map((key) => [key.id, key]));
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec("begin immediate");
    const rows = database.prepare("select user_id, wrapped_key, master_id from journal_keys").all();
    const change = database.prepare(
      "update journal_keys set wrapped_key = ?, master_id = ? where user_id = ?",
    );
    for (const row of rows) {
      const [userId, wrapped] = [String(row.user_id), String(row.wrapped_key)];
      const known = byId.get(String(row.master_id));
      if (!known) continue;
      const key = orDamaged(() => unwrapKey(known, userId, wrapped));
      change.run(key ? wrapKey(master, userId, key) : wrapped, master.id, userId);
    }
    database.prepare("update settings set value = ? where name = 'journal-key'").run(master.id);
    database.exec("commit");
  } finally {
    database.close();
  }
}

function orDamaged(unwrap: () => Buffer): Buffer | null {
  try {
    return unwrap();
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}
