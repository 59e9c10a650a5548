import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Another process of the site works on the same folder. */
export class AlreadyRunning extends Error {}

/** The lock's file is not one; its message says what to do. */
export class DamagedLock extends Error {}

/**
 * Takes DATA_DIR for this process. The lock is the operating system's, on a small
 * database file: it ends with the process, however that ends, and never goes stale.
 * @returns a function that gives the folder back
 * @throws {AlreadyRunning | DamagedLock}
 */
export function takeDataDir(dataDir: string): () => void {
  const file = path.join(dataDir, "lock");
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("pragma journal_mode = delete; begin exclusive");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === 5)
      throw new AlreadyRunning(
        `Another process is already serving from ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
      );
    throw new DamagedLock(
      `DATA_DIR: ${file} is damaged (${(error as Error).message}). There is nothing in it: delete it and start again.`,
    );
  }
  return () => lock.close();
}
