import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import path from "node:path";
import { build } from "./build/build.ts";
import { isBuildFresh } from "./build/fresh.ts";
import { sendHelpersAway } from "./one-core.ts";

if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV = "production";
// What reads and writes files; large uploads occupy some of them.
process.env.UV_THREADPOOL_SIZE ??= "8";
sendHelpersAway();

// Tests build once and say so: a file saved meanwhile must not take the build from sites that run.
if (!process.argv.includes("--built") && !isBuildFresh()) {
  await refuseWhileRunning();
  process.stdout.write("Building the site (half a minute, only after changes) ...\n");
  build();
}
// Keeps what V8 made of the sources: the next start reads it instead of compiling them again.
enableCompileCache(path.join(import.meta.dirname, "..", "build", "compile-cache"));
const { serveSite } = await import("../build/server/index.js");
await serveSite(process.env);
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
