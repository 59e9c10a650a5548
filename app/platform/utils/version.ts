import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The built server, the development server and the tests lie at different depths in it. */
export const projectRoot = find(import.meta.dirname);

function find(folder: string): string {
  if (existsSync(path.join(folder, "package.json"))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
  return find(parent);
}

export const version: string = JSON.parse(
  readFileSync(path.join(projectRoot, "package.json"), "utf8"),
).version;
