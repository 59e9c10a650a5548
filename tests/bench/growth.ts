import { sql } from "kysely";
import { listMyCourses } from "~/features/player/player.server.ts";
import { sqliteFile } from "~/platform/db/database.ts";
import { sumUpTallies } from "~/platform/db/tallies.ts";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../support/config.ts";
import { coachViews } from "./coach-views.ts";
import { type Figure, ms, times } from "./figure.ts";
import { listViews } from "./list-views.ts";
import { inTurn, median } from "./measure.ts";
import { seedPeople, seedPostgres, userId } from "./seed.ts";
import { benchFolder, onEachEngine, type Place } from "./world.ts";

const bar = 1.5;
const rounds = 6;
const perRound = 10;
/** Accounts; each is enrolled in ten courses and has completed a lesson in each. */
const few = 100;
const many = 100_000;

type View = {
  what: string;
  /** Asks for it once; throws when too few rows came. */
  ask(services: Services, accounts: number, index: number): Promise<unknown>;
};

const views: View[] = [
  {
    what: "My Courses (10 courses)",
    /** Someone else each time, from all over the table. */
    async ask(services, accounts, index) {
      const found = await listMyCourses(services, userId((index * 7919) % accounts));
      if (found.length < 10) throw new Error("the seeding went wrong");
    },
  },
  ...coachViews,
  ...listViews,
];

/** Every list and My Courses with a thousand enrollments and with a million, asked for in turns. */
export const growth = () => onEachEngine(grownOn);

async function grownOn(engine: string, place: Place): Promise<Figure[]> {
  const [small, large] = [await openGrown(few, place), await openGrown(many, place)];
  const figures: Figure[] = [];
  for (const { what, ask } of views) {
    const taken = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      const a = await inTurn(perRound, (index) =>
        ask(small.services, few, index + round * perRound),
      );
      const b = await inTurn(perRound, (index) =>
        ask(large.services, many, index + round * perRound),
      );
      if (round === 0) continue; // warming up
      taken.small.push(...a);
      taken.large.push(...b);
    }
    const ratio = median(taken.large) / median(taken.small);
    figures.push({
      what: `growth, ${engine}: ${what}`,
      measured: `${ms(median(taken.large))} against ${ms(median(taken.small))} = ${times(ratio)}`,
      bar: `${bar} x`,
      met: ratio <= bar,
    });
  }
  await small.close();
  await large.close();
  return figures;
}

/** A site with so many accounts. */
async function openGrown(accounts: number, place: Place) {
  const { url, drop } = await place();
  const config = await testConfig(url, { DATA_DIR: benchFolder() });
  const services = await openServices(config);
  if (url) await seedPostgres(url, accounts);
  else seedPeople(sqliteFile(config), accounts);
  await sumUpTallies(services.db);
  if (url) await sql`vacuum analyze tallies, tally_changes`.execute(services.db.write);
  return {
    services,
    async close() {
      await closeServices(services);
      await drop?.();
    },
  };
}
