import { readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { readManifest } from "./manifest.ts";

export const unfinished = "unfinished-";
const finished = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** Names of the finished backups, oldest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => finished.test(name)).sort();
}

/** Removes what killed backups left. @returns the names of those that could not be removed */
export async function removeUnfinished(folder: string): Promise<string[]> {
  const left: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(unfinished) || !finished.test(name.slice(unfinished.length))) continue;
    if (!(await isRemoved(path.join(folder, name)))) left.push(name);
  }
  return left;
}

/** Removes a site's oldest backups until `keep` remain, `made` among them. Those of other sites,
 * unreadable ones, and all of a site that never ran (null) stay: its own cannot be identified. */
export async function removeOld(
  folder: string,
  { keep, made, site }: { keep: number; made: string; site: string | null },
): Promise<{ removed: string[]; left: string[] }> {
  const others: string[] = [];
  for (const name of await backupsIn(folder)) {
    const manifest = await readManifest(path.join(folder, name)).catch(() => null);
    if (name !== made && site !== null && manifest?.site === site) others.push(name);
  }
  const removed: string[] = [];
  const left: string[] = [];
  for (const name of others.slice(0, Math.max(0, others.length - (keep - 1)))) {
    const doomed = path.join(folder, unfinished + name);
    const isDoomed = await rename(path.join(folder, name), doomed).then(
      () => true,
      () => false,
    );
    if (isDoomed && (await isRemoved(doomed))) removed.push(name);
    else left.push(name);
  }
  return { removed, left };
}

// Another user's folder cannot be removed, which does not harm the new backup.
function isRemoved(folder: string): Promise<boolean> {
  return rm(folder, { recursive: true }).then(
    () => true,
    () => false,
  );
}
