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
      `DATA_DIR: ${file} is damaged (not a key of 32 bytes). Restore it from a backup; without it nobody's journal can be opened`,
    ]);
  return keys.flatMap((key) => (key ? [masterKey(key)] : []));
}

export function createKeyFile(file: string): MasterKey[] {
  const part = writePart(file, [newMasterKey()]);
  try {
    putWhereNoneIs(part, file);
    flushFolder(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unwritable(file, error);
  } finally {
    rmSync(part, { force: true });
  }
  return readKeyFile(file);
}

// Atomic where the file system knows links.
function putWhereNoneIs(part: string, file: string) {
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    copyFileSync(part, file, constants.COPYFILE_EXCL);
  }
}

/** Replaces the file in one step that survives a power cut. */
export function replaceKeyFile(file: string, keys: readonly MasterKey[]): void {
  const part = writePart(file, keys);
  try {
    renameSync(part, file);
    flushFolder(file);
  } catch (error) {
    rmSync(part, { force: true });
    throw unwritable(file, error);
  }
}

export function keepKeyFile(file: string, now: Date): void {
  const part = writePart(file, readKeyFile(file));
  try {
    putWhereNoneIs(part, `${file}.before-restore-${now.toISOString().replaceAll(/[:.]/g, "-")}`);
    flushFolder(file);
  } catch (error) {
    throw unwritable(file, error);
  } finally {
    rmSync(part, { force: true });
  }
}

export const newMasterKey = (): MasterKey => masterKey(randomBytes(32));

export const keyLines = (keys: readonly MasterKey[]): string =>
  keys.map((key) => `${writtenKey(key)}\n`).join("");

function writePart(file: string, keys: readonly MasterKey[]): string {
  const part = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(part, keyLines(keys), { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    throw unwritable(file, error);
  }
  return part;
}

// If a power cut lost the file's name, the key would be lost.
function flushFolder(file: string) {
  const folder = openSync(path.dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

const unwritable = (file: string, error: unknown) =>
  new ConfigError([`DATA_DIR: cannot write ${file} (${(error as Error).message})`]);
