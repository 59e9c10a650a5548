import { readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { readManifest } from "./manifest.ts";

/** Before the name of a backup that is being made, or removed. */
export const unfinished = "unfinished-";
const finished = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** The names of the backups in a folder, oldest first, whosever they are. */
export async function backupsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => finished.test(name)).sort();
}

/**
 * Removes what broke off; nothing else that happens to be called so.
 * @returns what could not be removed
 */
export async function removeUnfinished(folder: string): Promise<string[]> {
  const left: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(unfinished) || !finished.test(name.slice(unfinished.length))) continue;
    if (!(await isRemoved(path.join(folder, name)))) left.push(name);
  }
  return left;
}

/**
 * Removes the oldest backups of a site until `keep` are left, the one just made (`made`) always
 * among them. Those of other sites, and what cannot be read, stay; of a site that never ran, which
 * has no id yet (null), nobody can say which are its own.
 */
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
    // From here on it is no backup any more, wherever this ends.
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

/** A folder of another user's stays: the backup itself is none the worse for it. */
function isRemoved(folder: string): Promise<boolean> {
  return rm(folder, { recursive: true }).then(
    () => true,
    () => false,
  );
}
