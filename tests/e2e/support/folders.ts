import { rmSync } from "node:fs";
import { temporaryFolder } from "../../support/config.ts";

const made: string[] = [];

/** A folder on the coach's computer, as long as the test runs. */
export function folderOfTest(): string {
  const folder = temporaryFolder();
  made.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
