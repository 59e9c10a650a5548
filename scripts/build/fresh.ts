import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..", "..");
const stamp = path.join(root, "build", "stamp");
const sources = [
  "app",
  "content/site.ts",
  "content/share.ts",
  "content/structured-data.ts",
  "content/schema.ts",
  "content/pages",
  "public",
  "scripts/build",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "vite.config.ts",
];

function newest(file: string): number {
  const entry = statSync(file);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const inside = readdirSync(file).map((name) => newest(path.join(file, name)));
  return Math.max(entry.mtimeMs, ...inside);
}

/** Whether the last build is younger than everything it was made from. */
export function isBuildFresh(): boolean {
  if (!existsSync(stamp)) return false;
  return sources.every((name) => newest(path.join(root, name)) <= statSync(stamp).mtimeMs);
}

/** Remembers that a build was made of the sources as they were at `startedAt`. */
export function markBuild(startedAt: Date): void {
  writeFileSync(stamp, "");
  utimesSync(stamp, startedAt, startedAt);
}
