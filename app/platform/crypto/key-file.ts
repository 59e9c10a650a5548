import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { ConfigError } from "../config/config.ts";
import { type MasterKey, masterKey, readKey, writtenKey } from "../config/master-key.ts";

/** DATA_DIR/journal-key, one key per line: the first encrypts, the others only decrypt. */
export const keyFile = (dataDir: string): string => path.join(dataDir, "journal-key");

/** No keys when there is no file. @throws {ConfigError} for a damaged or unreadable file */
export function readKeyFile(file: string): MasterKey[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new ConfigError([`DATA_DIR: cannot read ${file} (${(error as Error).message})`]);
  }
  const keys = text.trim().split(/\s+/).map(readKey);
  if (keys.some((key) => key === null))
    throw new ConfigError([
      `DATA_DIR: ${file} is damaged (not a key of 32 bytes). Restore it from a backup; without it no journal can be opened`,
    ]);
  return keys.flatMap((key) => (key ? [masterKey(key)] : []));
}

/** Keys that another process has put there meanwhile stay. @returns the keys of the file */
export function createKeyFile(file: string): MasterKey[] {
  withPart(file, [newMasterKey()], (part) => {
    try {
      putWhereNoneIs(part, file);
    } catch (error) {
      if (!isThere(error)) throw error;
    }
  });
  return readKeyFile(file);
}

/** Replaces the file in one step that survives a power cut. */
export function replaceKeyFile(file: string, keys: readonly MasterKey[]): void {
  withPart(file, keys, (part) => renameSync(part, file));
}

export function copyKeyFile(file: string, now: Date): void {
  const copy = `${file}.before-restore-${now.toISOString().replaceAll(/[:.]/g, "-")}`;
  withPart(file, readKeyFile(file), (part) => putWhereNoneIs(part, copy));
}

export const newMasterKey = (): MasterKey => masterKey(randomBytes(32));

export const keyLines = (keys: readonly MasterKey[]): string =>
  keys.map((key) => `${writtenKey(key)}\n`).join("");

function withPart(file: string, keys: readonly MasterKey[], put: (part: string) => void) {
  const part = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(part, keyLines(keys), { mode: 0o600, flag: "wx", flush: true });
    put(part);
    flushFolder(file);
  } catch (error) {
    throw new ConfigError([`DATA_DIR: cannot write ${file} (${(error as Error).message})`]);
  } finally {
    rmSync(part, { force: true });
  }
}

const isThere = (error: unknown) => (error as NodeJS.ErrnoException).code === "EEXIST";

// Atomic where the file system knows links.
function putWhereNoneIs(part: string, file: string) {
  try {
    linkSync(part, file);
  } catch (error) {
    if (isThere(error)) throw error;
    copyFileSync(part, file, constants.COPYFILE_EXCL);
  }
}

// If a power cut lost the file's name, the key would be lost.
function flushFolder(file: string) {
  const folder = openSync(path.dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}
