import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "./root.ts";

/** Of the program, as package.json has it. */
export const version: string = JSON.parse(
  readFileSync(path.join(projectRoot, "package.json"), "utf8"),
).version;
