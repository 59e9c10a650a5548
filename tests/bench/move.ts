import { spawn } from "node:child_process";
import { sqliteFile } from "~/platform/db/database.ts";
import { projectRoot } from "~/platform/utils/version.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { type Figure, mb, noBar, perSecond } from "./figure.ts";
import { peakMb } from "./measure.ts";
import { courses, seedPeople } from "./seed.ts";
import { benchFolder } from "./world.ts";

const accounts = 100_000;
/** What the command may keep for itself, in MB: a small server has no more to spare. */
const heapMb = 256;
const lookEveryMs = 20;

/**
 * `npm run db:move` of a million enrollments and all that goes with them, checks included: first
 * into an empty database, then again, as is done once the site is stopped.
 */
export async function moving(): Promise<Figure[]> {
  if (!process.env.TEST_DATABASE_URL) return [];
  const config = await testConfig(undefined, { DATA_DIR: benchFolder() });
  await closeServices(await openServices(config));
  seedPeople(sqliteFile(config), accounts);
  const target = await freshDatabase();
  const figures: Figure[] = [];
  for (const what of ["into an empty database", "again, nothing changed"]) {
    const { rows, seconds, peak } = await move(config.dataDir, target.url ?? "");
    figures.push(
      noBar(
        `db:move of ${accounts * courses} enrollments, ${rows} rows in all, read back and compared: ${what}`,
        `${seconds.toFixed(0)} s = ${perSecond(rows / seconds)} (${mb(peak)} resident at most, with --max-old-space-size=${heapMb})`,
      ),
    );
  }
  await target.drop();
  return figures;
}

/** The command as its user runs it, in a process of its own: seconds from its start to its end, and its memory. */
async function move(dataDir: string, url: string) {
  const began = performance.now();
  const words = [`--max-old-space-size=${heapMb}`, "scripts/command.ts", "db:move", "--to", url];
  const child = spawn(process.execPath, words, {
    cwd: projectRoot,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakMb(child.pid ?? 0) || 0);
  }, lookEveryMs);
  let said = "";
  child.stdout.on("data", (words: Buffer) => {
    said += words.toString("utf8");
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(watch);
  const [, rows] = /\d+ tables, (\d+) rows/.exec(said) ?? [];
  if (code !== 0 || !rows) throw new Error(`db:move ended with ${code}: ${said}`);
  return { rows: Number(rows), seconds: (performance.now() - began) / 1000, peak };
}
