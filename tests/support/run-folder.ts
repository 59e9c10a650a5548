import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Gives a run of tests a temporary folder of its own, inside the system's: whatever they, their
 * browsers and their sites put there goes with it, also what nobody thought of.
 * @returns takes it away
 */
export function ownTemporaryFolder(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "blue-dot-run-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.env.TMPDIR = folder;
  process.once("exit", remove);
  return remove;
}
