import { build, isBuilt } from "./build/build.ts";
import { readSettings } from "./settings.ts";

readSettings();
process.env.NODE_ENV = "production";

// Only without any build: the running site serves its files from this one.
if (!isBuilt()) build();
const { runCommand } = await import("../build/server/index.js");
const [name = "", ...words] = process.argv.slice(2);
await runCommand(name, words);
