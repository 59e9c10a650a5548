import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { compressFolder } from "./compress.ts";
import { isBuildFresh, markBuild } from "./fresh.ts";

const root = path.join(import.meta.dirname, "..", "..");

/** Builds browser and server side into `build/`. @throws when the build fails; its words are printed */
export function build(): void {
  const startedAt = new Date();
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
    process.stderr.write(`${stdout}\n${stderr}`);
    throw new Error("The build failed; see above.");
  }
  compressFolder(path.join(root, "build", "client"));
  markBuild(startedAt);
}

/** {@link build}, unless the last one is still good. */
export function buildIfNeeded(): void {
  if (isBuildFresh()) return;
  process.stdout.write("Building the site (half a minute, only after changes) ...\n");
  build();
}
