import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { othersIn, unknownIn } from "../crypto/key-copies.ts";
import { keyFile } from "../crypto/key-file.ts";
import { cannotOpen, knownKeys, preferredKey } from "../crypto/keyring.ts";
import { sqliteFile } from "../db/database.ts";
import { siteId } from "../db/ids.ts";
import { openSqlite } from "../db/sqlite.ts";
import { explain } from "../explain/explain.ts";
import { systemClock } from "../utils/clock.ts";
import { CommandError } from "../utils/errors.ts";
import { AlreadyRunning, takeDataDir } from "../utils/lock.ts";
import { BadRow } from "./cells.ts";
import { type Moved, moveToPostgres } from "./move.ts";
import { CannotMove } from "./target.ts";

/** `npm run db:move`: a rehearsal while the site runs, the real move once it is stopped. */
export async function switchOver(
  config: Config,
  to: string,
  say: (line: string) => void,
): Promise<void> {
  const file = sqliteFile(config);
  if (config.databaseUrl)
    throw new CommandError(
      "DATABASE_URL is set: this site is on PostgreSQL already. What is in DATA_DIR/site.db is copied when it is not set.",
    );
  if (!existsSync(file))
    throw new CommandError(`DATA_DIR: there is no ${file}: nothing is there that could move.`);
  const unknown = unknownIn(file, knownKeys(config));
  if (unknown.length > 0) throw new CommandError(cannotOpen(config, unknown));
  requireOneKey(config, file);
  const unlock = takeUnlessRunning(config.dataDir);
  try {
    const began = performance.now();
    const site = await idOf(file);
    const moved = await moveToPostgres(file, to, { site, tell: say }).catch((error: unknown) => {
      throw new CommandError(
        error instanceof CannotMove || error instanceof BadRow
          ? `${error.message}${error instanceof BadRow ? ". Nothing was copied; take it out there, and run this again." : ""}`
          : explain(error).replace(/^DATABASE_URL:/, "--to:"),
        { cause: error },
      );
    });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    for (const line of report(moved, seconds)) say(line);
    for (const line of unlock && !moved.changedSince ? last(config) : again(moved, !unlock))
      say(line);
  } finally {
    unlock?.();
  }
}

// The new database gets one key: the printed one, or that of the settings.
function requireOneKey(config: Config, file: string) {
  if (othersIn(file, preferredKey(config)).length === 0) return;
  const key = config.journalKey
    ? "JOURNAL_KEY: what students wrote is not sealed with it yet"
    : `DATA_DIR: what students wrote is not all sealed with the first key of ${keyFile(config.dataDir)}`;
  throw new CommandError(
    `${key}, and the copy could not be opened without the other. Run npm run journal:rotate, then this again. Nothing was copied.`,
  );
}

// Null while a site runs: only the holder of the folder serves from it.
function takeUnlessRunning(dataDir: string): (() => void) | null {
  try {
    return takeDataDir(dataDir);
  } catch (error) {
    if (error instanceof AlreadyRunning) return null;
    throw error;
  }
}

async function idOf(file: string): Promise<string> {
  const write = openSqlite(file, "write");
  try {
    return await siteId({ db: { write }, clock: systemClock });
  } finally {
    await write.destroy();
  }
}

function report({ tables, alreadyThere }: Moved, seconds: string): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const what = `${tables.length} tables, ${rows} rows`;
  return [
    alreadyThere
      ? `That database has the same data already (${what}); nothing was written.`
      : `Copied ${what} in ${seconds} s. Every table was read back, and is the same.`,
    "",
  ];
}

function again({ changedSince }: Moved, running: boolean): string[] {
  if (!running)
    return [
      "A command wrote to the site's data meanwhile, and that is not in the copy: run this again.",
    ];
  return [
    changedSince
      ? "The site runs, and was written to since the copy began: that is not in the copy."
      : "The site runs. Nothing was written since the copy began, but that can happen at any moment.",
    "This was the rehearsal. To switch over, without losing a word:",
    "  1. Stop the site.",
    "  2. Run this command once more. It copies what there is then, and says what comes next.",
  ];
}

// Never prints the secret itself: terminals and logs store what they show.
function last(config: Config): string[] {
  const { dataDir, s3 } = config;
  const secret = path.join(dataDir, "secret");
  const settings = process.env.AUTH_SECRET
    ? ["     AUTH_SECRET stays as it is."]
    : [
        "     and what sessions and links are signed with, which this line puts there:",
        `       printf '\\nAUTH_SECRET=%s\\n' "$(cat ${inShell(secret)})" >> .env`,
      ];
  const journal = config.journalKey
    ? ["     JOURNAL_KEY stays as it is."]
    : [
        "     and the key of what students wrote; keep a copy of it, without it no one can read that:",
        `       printf '\\nJOURNAL_KEY=%s\\n' "$(head -n 1 ${inShell(keyFile(dataDir))})" >> .env`,
      ];
  return [
    "The site is stopped and nothing was written since the copy began: the copy is complete. Now:",
    "  1. Put into the site's settings (.env)",
    "       DATABASE_URL=(the address you gave after --to, with its password in it)",
    ...settings,
    ...journal,
    "  2. Put the old database aside, so that no one goes on with it by mistake:",
    `       mv ${inShell(sqliteFile({ dataDir }))} ${inShell(`${sqliteFile({ dataDir })}.moved`)}`,
    "  3. Start the site.",
    ...(s3
      ? []
      : [
          `Videos and audios stay in ${path.join(dataDir, "media")}: DATA_DIR is needed as before.`,
        ]),
  ];
}

const inShell = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
