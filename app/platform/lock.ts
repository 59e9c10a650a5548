import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Another process of the site works on the same folder. */
export class AlreadyRunning extends Error {}

/** The lock's file is not one; its message says what to do. */
export class DamagedLock extends Error {}

/** What SQLite says of a file that is broken, or none of its own. */
const damaged = new Set([11, 26]);

/**
 * Takes DATA_DIR for this process.
 * @returns a function that gives the folder back
 * @throws {AlreadyRunning | DamagedLock}
 */
export function takeDataDir(dataDir: string): () => void {
  return takeFolder(dataDir, {
    taken: `Another process is already serving from ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    name: "DATA_DIR",
  });
}

/**
 * Takes a folder for this process. The lock is the operating system's, on a small
 * database file: it ends with the process, however that ends, and never goes stale.
 * @returns a function that gives the folder back
 * @throws {AlreadyRunning | DamagedLock}
 */
export function takeFolder(
  folder: string,
  { taken, name }: { taken: string; name: string },
): () => void {
  const file = path.join(folder, "lock");
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("pragma journal_mode = delete; begin exclusive");
  } catch (error) {
    lock.close();
    const { errcode = 0 } = error as { errcode?: number };
    if (errcode === 5) throw new AlreadyRunning(taken);
    // A disk that is full, for one, is not mended by deleting this.
    if (!damaged.has(errcode & 255)) throw error;
    throw new DamagedLock(
      `${name}: ${file} is damaged (${(error as Error).message}). There is nothing in it: delete it and start again.`,
    );
  }
  return () => lock.close();
}
