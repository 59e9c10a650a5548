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
import { type MasterKey, masterKey, readKey, writtenKey } from "./master-key.ts";

/** DATA_DIR/journal-key: a key a line. The first is for what is new; others open what was before. */
export const keyFile = (dataDir: string): string => path.join(dataDir, "journal-key");

/**
 * Keys of a file, none when there is no such file.
 * @throws {ConfigError} for a file that is damaged or cannot be read
 */
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

/** Makes the file with a new key, or takes the one that another process has made meanwhile. */
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

/** Whole at once, where the disk knows links. */
function putWhereNoneIs(part: string, file: string) {
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    copyFileSync(part, file, constants.COPYFILE_EXCL);
  }
}

/** Puts these in the place of what is there, in one step that a power cut does not undo. */
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

/** Copies the file to `journal-key.before-restore-<time>`, before another takes its place. */
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

/** A name that a folder forgets in a power cut would be a key that is lost. */
function flushFolder(file: string) {
  const folder = openSync(path.dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

const unwritable = (file: string, error: unknown) =>
  new ConfigError([`DATA_DIR: cannot write ${file} (${(error as Error).message})`]);
