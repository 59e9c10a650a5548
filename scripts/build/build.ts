import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = path.join(import.meta.dirname, "..", "..");
const stamp = path.join(root, "build", "stamp");
const sources = [
  "app",
  "content/fields.ts",
  "content/page-schema.ts",
  "content/site.ts",
  "content/share.ts",
  "content/structured-data.ts",
  "content/schema.ts",
  "content/pages",
  "content/help",
  "public",
  "scripts/build",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "vite.config.ts",
];

/**
 * Builds browser and server side into `build/`, or says why it cannot and ends the program. Wrong
 * texts in content/ are reported, one line each, and leave the last build as it is.
 */
export function build(): void {
  requireBuildTools();
  const startedAt = new Date();
  const words = path.join(import.meta.dirname, "check-words.ts");
  if (spawnSync(process.execPath, [words], { stdio: "inherit" }).status !== 0) process.exit(1);
  rmSync(path.join(root, "build"), { recursive: true, force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [builder, "build"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) {
    process.stderr.write(`${stdout}\n${stderr}\nThe build failed; see above.\n`);
    process.exit(1);
  }
  compressFolder(path.join(root, "build", "client"));
  // deploy/blue-dot.service lets the site write there only if it exists.
  mkdirSync(path.join(root, "build", "compile-cache"));
  writeFileSync(stamp, "");
  utimesSync(stamp, startedAt, startedAt);
}

const builder = path.join(root, "node_modules/@react-router/dev/dist/cli/index.js");

/** Ends the program with a line where only what a built site needs is installed. */
export function requireBuildTools(): void {
  if (existsSync(builder)) return;
  process.stderr.write(
    "There is no build of this version, and what builds it is not installed: npm install --include=dev && npm run build\n",
  );
  process.exit(1);
}

/** Whether there is a build at all, however old. */
export function isBuilt(): boolean {
  return existsSync(path.join(root, "build", "server", "index.js"));
}

/** {@link build}, which it announces, unless the last one is still good. */
export function buildIfNeeded(): void {
  if (isBuildFresh()) return;
  process.stdout.write("Building the site (half a minute, only after changes) ...\n");
  build();
}

/** Whether the last build is younger than everything it was made from. */
export function isBuildFresh(): boolean {
  if (!existsSync(stamp)) return false;
  return sources.every((name) => newest(path.join(root, name)) <= statSync(stamp).mtimeMs);
}

function newest(file: string): number {
  const entry = statSync(file);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const inside = readdirSync(file).map((name) => newest(path.join(file, name)));
  return Math.max(entry.mtimeMs, ...inside);
}

const compressible = /\.(js|css|svg|json|txt|webmanifest)$/;

/** Writes `.br` and `.gz` beside every text file of a folder, at their smallest, once per build. */
function compressFolder(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of files.filter((file) => compressible.test(file))) {
    const file = path.join(folder, name);
    const bytes = readFileSync(file);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, quality));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
