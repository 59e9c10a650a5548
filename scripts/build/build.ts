import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { compressFolder } from "./compress.ts";
import { isBuildFresh, markBuild } from "./fresh.ts";

const root = path.join(import.meta.dirname, "..", "..");

/**
 * Builds browser and server side into `build/`, or says why it cannot and ends the program. Wrong
 * words in content/ are told a line each, and leave the last build as it is.
 */
export function build(): void {
  const startedAt = new Date();
  const words = path.join(import.meta.dirname, "check-words.ts");
  if (spawnSync(process.execPath, [words], { stdio: "inherit" }).status !== 0) process.exit(1);
  rmSync(path.join(root, "build"), { recursive: true, force: true });
  const command = path.join(
    root,
    "node_modules",
    "@react-router",
    "dev",
    "dist",
    "cli",
    "index.js",
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, "build"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) {
    process.stderr.write(`${stdout}\n${stderr}\nThe build failed; see above.\n`);
    process.exit(1);
  }
  compressFolder(path.join(root, "build", "client"));
  markBuild(startedAt);
}

/** Whether there is a build at all, however old. */
export function isBuilt(): boolean {
  return existsSync(path.join(root, "build", "server", "index.js"));
}

/** {@link build}, unless the last one is still good. */
export function buildIfNeeded(): void {
  if (isBuildFresh()) return;
  process.stdout.write("Building the site (half a minute, only after changes) ...\n");
  build();
}
