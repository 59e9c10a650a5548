import { listMyCourses } from "~/features/learning/queries.server.ts";
import { sqliteFile } from "~/platform/db/database.ts";
import { closeServices, openServices } from "~/services.ts";
import { testConfig } from "../support/config.ts";
import { type Figure, ms, times } from "./figure.ts";
import { inTurn, median } from "./measure.ts";
import { seedPeople, userId } from "./seed.ts";
import { benchFolder } from "./world.ts";

const bar = 1.5;
const rounds = 6;
const perRound = 200;
/** Accounts; each is enrolled in ten courses and has completed a lesson in each. */
const few = 100;
const many = 100_000;

/** My Courses with a thousand enrollments and with a million, asked for in turns. */
export async function growth(): Promise<Figure[]> {
  const [small, large] = [await openGrown(few), await openGrown(many)];
  const taken = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const a = await inTurn(perRound, small.ask);
    const b = await inTurn(perRound, large.ask);
    if (round === 0) continue; // warming up
    taken.small.push(...a);
    taken.large.push(...b);
  }
  await small.close();
  await large.close();
  const ratio = median(taken.large) / median(taken.small);
  return [
    {
      what: "My Courses (10 courses) at 1,000,000 enrollments, 100,000 accounts, against 1,000",
      measured: `${ms(median(taken.large))} against ${ms(median(taken.small))} = ${times(ratio)}`,
      bar: `${bar} x`,
      met: ratio <= bar,
    },
  ];
}

async function openGrown(accounts: number) {
  const dataDir = benchFolder();
  const config = await testConfig(undefined, { DATA_DIR: dataDir });
  const services = await openServices(config);
  seedPeople(sqliteFile(config), accounts);
  return {
    /** Somebody else each time, from all over the table. */
    async ask(index: number) {
      const courses = await listMyCourses(services, userId((index * 7919) % accounts));
      if (courses.length !== 10) throw new Error("the seeding went wrong");
    },
    close: () => closeServices(services),
  };
}
