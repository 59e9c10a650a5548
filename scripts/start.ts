import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import path from "node:path";
import { buildIfNeeded } from "./build/build.ts";

if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV = "production";
// Hashing a password occupies one of these threads; reading media needs the others.
process.env.UV_THREADPOOL_SIZE ??= "8";

buildIfNeeded();
// Keeps what V8 made of the sources: the next start reads it instead of compiling them again.
enableCompileCache(path.join(import.meta.dirname, "..", "build", "compile-cache"));
const { serveSite } = await import("../build/server/index.js");
await serveSite(process.env);
flushCompileCache();
