import { existsSync } from "node:fs";
import { buildIfNeeded } from "./build/build.ts";

if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV = "production";
// Hashing a password occupies one of these threads; reading media needs the others.
process.env.UV_THREADPOOL_SIZE ??= "8";

buildIfNeeded();
const { serveSite } = await import("../build/server/index.js");
await serveSite(process.env);
