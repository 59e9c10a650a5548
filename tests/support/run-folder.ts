import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const sharedMemory = "/dev/shm";
/** What a whole run puts there at most, with room to spare, in bytes. */
const neededBytes = 4e9;

/**
 * Gives a run of tests two folders of its own: whatever the tests, their browsers and their sites
 * put there is removed with them. The temporary one is in memory where there is room, since tests
 * spend much of their time waiting for the disk; TEST_DISK is for those that need a real disk.
 * @returns removes both
 */
export function ownTemporaryFolder(): () => void {
  const make = (parent: string) => mkdtempSync(path.join(parent, "blue-dot-run-"));
  const folders = {
    TEST_DISK: make(tmpdir()),
    TMPDIR: make(hasRoom(sharedMemory) ? sharedMemory : tmpdir()),
  };
  Object.assign(process.env, folders);
  const remove = () => {
    for (const folder of Object.values(folders))
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once("exit", remove);
  return remove;
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  // The file system promises half of the machine's memory, no matter what else uses it.
  return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
}
