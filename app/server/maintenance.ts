import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Made, makeBackup } from "~/platform/backup/make.ts";
import { checkBackup, type Manifest } from "~/platform/backup/manifest.ts";
import { moveMedia } from "~/platform/backup/move-media.ts";
import { newestIn, restoreBackup } from "~/platform/backup/restore.ts";
import { loadConfig } from "~/platform/config/config.ts";
import { switchOver } from "~/platform/db-copy/switch-over.ts";
import { CommandError } from "~/platform/utils/errors.ts";
import { version } from "~/platform/utils/version.ts";

type Care = (words: string[]) => Promise<void>;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const remark = (line: string) => void process.stderr.write(`${line}\n`);
const config = () => loadConfig({ ...process.env, LOG_LEVEL: "silent" });

/** Commands that maintain the site's data; they open what they need themselves. */
export const runMaintenance: Record<string, Care> = {
  async "db:move"(words) {
    const usage = "Where to? npm run db:move -- --to postgres://user:password@host:5432/name";
    const { values, names } = read(words, { to: { type: "string" } }, usage);
    const { to } = values;
    if (typeof to !== "string" || !/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to))
      throw new CommandError(usage);
    if (names.length > 0) throw new CommandError(usage);
    await switchOver(config(), to, say);
  },

  async backup(words) {
    const usage = "Where to? npm run backup -- /backups/blue-dot [--keep 30]";
    const { values, names } = read(words, { keep: { type: "string" } }, usage);
    const [folder, ...more] = names;
    const { keep } = values;
    if (!folder || more.length > 0) throw new CommandError(usage);
    if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(String(keep)))
      throw new CommandError(`--keep: must be how many backups stay, e.g. 30. ${usage}`);
    const made = await makeBackup(config(), folder, {
      version,
      keep: keep ? Number(keep) : undefined,
    });
    reportBackup(made);
  },

  async restore(words) {
    const usage =
      "Which one? npm run restore -- /backups/blue-dot/2026-01-31T03-00-00.000Z (with --check: only reads it)";
    const { values, names } = read(words, { check: { type: "boolean" } }, usage);
    const [folder, ...more] = names;
    if (!folder || more.length > 0) throw new CommandError(usage);
    const newest = await newestIn(folder);
    if (newest)
      throw new CommandError(`Which one? The newest there is ${path.join(folder, newest)}`);
    if (values.check) return say(`${summary(await checkBackup(folder))}. All of it can be read.`);
    const where = config();
    const manifest = await restoreBackup(where, folder);
    say(`Restored ${summary(manifest)}.`);
    const isOther = process.env.AUTH_SECRET && (await secretOf(folder)) !== where.authSecret;
    if (isOther)
      remark(
        `AUTH_SECRET is not what this site had: everybody has to sign in again, and links in emails are void. Its own is in ${path.join(folder, "secret")}.`,
      );
    say("Start the site now.");
  },

  async "media:move"(words) {
    const usage = "npm run media:move, with S3_ENDPOINT and its keys set, without arguments";
    if (read(words, {}, usage).names.length > 0) throw new CommandError(usage);
    const { copied, already, missing, uploads } = await moveMedia(config());
    say(`${copied} files copied to the store and read back, ${already} were there already.`);
    for (const { bucket, key } of missing)
      remark(`${bucket}/${key} is in neither place; the site has no such file now either.`);
    if (uploads > 0)
      remark(`${uploads} uploads are not finished: wait for them, or they begin again.`);
    say(
      "Now start the site again with the same S3 settings, and run this once more, for what came meanwhile.\nDATA_DIR/media is not needed any more after that.",
    );
  },
};

function reportBackup({ folder, manifest, linked, lost, noted, removed, left }: Made): void {
  say(`${folder}: ${summary(manifest)} (${linked} of them as in the backup before).`);
  if (!noted)
    remark(
      "The site's database could not be written to, so the checklist before opening does not know of this backup.",
    );
  for (const { bucket, key } of manifest.missing)
    remark(`${bucket}/${key} is named by the database, and is not in storage.`);
  for (const { bucket, key } of lost)
    remark(`${bucket}/${key} is in storage no more; it was taken from the backup before.`);
  if (lost.length > 0) {
    remark("Older backups were left alone for that, whatever --keep says. Restore those files.");
    process.exitCode = 1;
  }
  if (removed.length > 0) say(`Removed: ${removed.join(", ")}.`);
  if (left.length > 0) remark(`Could not be removed: ${left.join(", ")}. Whose folders are they?`);
}

function summary({ madeAt, tables, media, from }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  const bytes = media.reduce((sum, { size }) => sum + size, 0);
  return `the site of ${madeAt} (${from.database}), ${rows} rows in ${Object.keys(tables).length} tables, ${media.length} media files with ${(bytes / 1e6).toFixed(1)} MB`;
}

async function secretOf(folder: string): Promise<string> {
  return (await readFile(path.join(folder, "secret"), "utf8")).trim();
}

type Flags = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

function read(words: string[], options: Flags, usage: string) {
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    return { values, names: positionals };
  } catch {
    throw new CommandError(usage);
  }
}
