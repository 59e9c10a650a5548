import { existsSync } from "node:fs";
import { buildIfNeeded } from "./build/build.ts";

if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV = "production";

buildIfNeeded();
const { runCommand } = await import("../build/server/index.js");
const [name = "", ...words] = process.argv.slice(2);
await runCommand(name, words);
