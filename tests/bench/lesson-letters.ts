import { planLessonEmails } from "~/features/lesson-emails/lesson-schedule.server.ts";
import { sqliteFile } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { movableClock } from "../support/clock.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { type Figure, mb, ms, perSecond } from "./figure.ts";
import { inTurn, median, residentMb, timed } from "./measure.ts";
import { courses, seedPeople, seedPostgres } from "./seed.ts";
import { benchFolder } from "./world.ts";

const accounts = 100_000;
const enrollments = accounts * courses;
/** The last of those seeded enrolled then, one each second before. */
const lastEnrolledAt = (1_700_000_000 + enrollments) * 1000;
const dripDay = 30;

/**
 * Writing down the letters about lessons that open, with a million enrollments: a look at which
 * nothing has opened, one in which an hour's students of ten busy courses are told, and the worst
 * there is: a lesson of each course opens for all of the million.
 */
export async function planningLetters(): Promise<Figure[]> {
  const figures = await plannedOn("SQLite", { url: undefined });
  if (!process.env.TEST_DATABASE_URL) return figures;
  const database = await freshDatabase();
  figures.push(...(await plannedOn("PostgreSQL", database)));
  await database.drop();
  return figures;
}

async function plannedOn(engine: string, { url }: { url: string | undefined }): Promise<Figure[]> {
  const config = await testConfig(url, { DATA_DIR: benchFolder() });
  const clock = movableClock();
  const services = await openServices(config, clock);
  if (url) await seedPostgres(url, accounts);
  else seedPeople(sqliteFile(config), accounts);
  await services.db.write
    .updateTable("lessons")
    .set({ dripDay, createdAt: new Date(0) })
    .execute();
  await onlyOneLater(services);
  clock.forward(lastEnrolledAt - enrollments * 1000 - clock.now().getTime());
  await planLessonEmails(services);
  const quiet = median(await inTurn(20, () => planLessonEmails(services)));
  clock.forwardDays(dripDay);
  const figure = (what: string, measured: string) => ({
    what: `lesson emails, ${engine}, ${enrollments} enrollments: ${what}`,
    measured,
    bar: "no bar of its own",
    met: null,
  });
  const figures = [figure("a look at which nothing opens", ms(quiet))];
  for (const [what, hours] of [
    ["an hour of ten courses, an enrollment a second", 1],
    ["a lesson of each course opens for all the others", 24 * 40],
  ] as const) {
    clock.forward(hours * 3600_000);
    let told = 0;
    const took = await timed(async () => {
      told = await planLessonEmails(services);
    });
    const rate = perSecond(told / (took / 1000));
    figures.push(
      figure(
        what,
        `${told} in ${(took / 1000).toFixed(1)} s = ${rate} (${mb(residentMb(process.pid))} resident)`,
      ),
    );
  }
  await closeServices(services);
  return figures;
}

/** One lesson of each course opens on a later day, the others at once. */
async function onlyOneLater({ db }: Services) {
  const first = db.read
    .selectFrom("lessons")
    .select(({ fn }) => fn.min("id").as("id"))
    .groupBy("moduleId");
  await db.write.updateTable("lessons").set({ dripDay: 0 }).where("id", "not in", first).execute();
}
