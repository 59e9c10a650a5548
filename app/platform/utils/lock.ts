import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export class AlreadyRunning extends Error {}

export class DamagedLock extends Error {}

// SQLite's codes for a corrupt file, and for one that is no database.
const damaged = new Set([11, 26]);

export function takeDataDir(dataDir: string): () => void {
  return takeFolder(dataDir, {
    taken: `Another process is already serving from ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    name: "DATA_DIR",
  });
}

/** The lock ends with the process, however that ends. @throws {AlreadyRunning | DamagedLock} */
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
    // Deleting the file would not help, for example, against a full disk.
    if (!damaged.has(errcode & 255)) throw error;
    throw new DamagedLock(
      `${name}: ${file} is damaged (${(error as Error).message}). There is nothing in it: delete it and start again.`,
    );
  }
  return () => lock.close();
}
