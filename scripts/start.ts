import { enableCompileCache, flushCompileCache } from "node:module";
import { availableParallelism } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { buildIfNeeded, isBuildFresh, requireBuildTools } from "./build/build.ts";
import { readSettings } from "./settings.ts";

readSettings();
process.env.NODE_ENV = "production";
// What reads and writes files; large uploads occupy some of them.
process.env.UV_THREADPOOL_SIZE ??= "8";
if (availableParallelism() === 1) removeHelpers();
// V8 would let its garbage grow to several times what is in use (docs/decisions/014).
setFlagsFromString("--heap-growing-percent=20");

// Tests build once and say so: a file saved meanwhile must not take the build from sites that run.
if (!process.argv.includes("--built") && !isBuildFresh()) {
  requireBuildTools();
  await refuseWhileRunning();
  buildIfNeeded();
}
// Keeps what V8 made of the sources: the next start reads it instead of compiling them again.
enableCompileCache(path.join(import.meta.dirname, "..", "build", "compile-cache"));
const { serveSite } = await import("../build/server/index.js");
await serveSite(process.env, process.argv.includes("--new"));
flushCompileCache();

/** A site that runs serves its files from the build: a second start must not take it away. */
async function refuseWhileRunning() {
  const { loadConfig } = await import("../app/platform/config/config.ts");
  const { takeDataDir } = await import("../app/platform/utils/lock.ts");
  const { explain } = await import("../app/platform/explain/explain.ts");
  try {
    const config = loadConfig(process.env);
    if (!config.databaseUrl) takeDataDir(config.dataDir)();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/**
 * On a machine with one core V8's helper threads, four of them, only push aside the thread that
 * they are to help: pages waited up to 150 ms for them (docs/decisions/014). Each on its own: the
 * flag for all of them is not obeyed by a program that runs already.
 */
function removeHelpers() {
  for (const helper of ["scavenge", "compaction"]) setFlagsFromString(`--no-parallel-${helper}`);
  for (const helper of ["marking", "sweeping", "recompilation"])
    setFlagsFromString(`--no-concurrent-${helper}`);
}
