import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..", "..");
const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

/** What `npm start` gives to Node: flags, then the script. */
export const startWords: string[] = scripts.start.split(" ").slice(1);

/** What the service on a server gives to the C library, so that freed memory goes back
 * (docs/decisions/014). */
export function memorySettings(): Record<string, string> {
  const service = readFileSync(path.join(root, "deploy/blue-dot.service"), "utf8");
  const found = [...service.matchAll(/\b(MALLOC_\w+)=(\d+)/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, value]));
}
