import { existsSync } from "node:fs";
import path from "node:path";

/**
 * The project's folder, found from the running module: the built server, the
 * development server and the tests lie at different depths in it.
 */
export const projectRoot = find(import.meta.dirname);

function find(folder: string): string {
  if (existsSync(path.join(folder, "package.json"))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
  return find(parent);
}
