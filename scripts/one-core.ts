import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";

// Each on its own: the flag for them all is not obeyed by a program that runs already.
const helpers = [
  "parallel-scavenge",
  "parallel-compaction",
  "concurrent-marking",
  "concurrent-sweeping",
  "concurrent-recompilation",
];

/**
 * On a machine with one core V8's helper threads, four of them, only push aside the thread that
 * they are to help: pages waited up to 150 ms for them (docs/decisions/014).
 */
export function sendHelpersAway(): void {
  if (availableParallelism() > 1) return;
  for (const helper of helpers) setFlagsFromString(`--no-${helper}`);
}
