import { sqliteFile } from "~/platform/db/database.ts";
import { moveToPostgres } from "~/platform/snapshot/move.ts";
import { closeServices, openServices } from "~/services.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { type Figure, mb, perSecond } from "./figure.ts";
import { residentMb, timed } from "./measure.ts";
import { courses, seedPeople } from "./seed.ts";
import { benchFolder } from "./world.ts";

const accounts = 100_000;

/**
 * `npm run db:move` of a million enrollments and all that goes with them, checks included: first
 * into an empty database, then again, as is done once the site is stopped.
 */
export async function moving(): Promise<Figure[]> {
  if (!process.env.TEST_DATABASE_URL) return [];
  const config = await testConfig(undefined, { DATA_DIR: benchFolder() });
  await closeServices(await openServices(config));
  const file = sqliteFile(config);
  seedPeople(file, accounts);
  const target = await freshDatabase();
  const figures: Figure[] = [];
  for (const what of ["into an empty database", "again, nothing changed"]) {
    let rows = 0;
    const took = await timed(async () => {
      const { tables } = await moveToPostgres(file, target.url ?? "", {
        site: "bench",
        tell() {},
      });
      rows = tables.reduce((sum, table) => sum + table.rows, 0);
    });
    figures.push({
      what: `db:move of ${accounts * courses} enrollments, ${rows} rows in all, read back and compared: ${what}`,
      measured: `${(took / 1000).toFixed(0)} s = ${perSecond(rows / (took / 1000))} (${mb(residentMb(process.pid))} resident)`,
      bar: "no bar of its own",
      met: null,
    });
  }
  await target.drop();
  return figures;
}
