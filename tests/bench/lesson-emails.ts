import { planLessonEmails } from "~/features/lesson-emails/lesson-schedule.server.ts";
import { sqliteFile } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { nextMorning } from "~/platform/time/morning.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { site } from "../../scripts/build/first-site.ts";
import { movableClock } from "../support/clock.ts";
import { testConfig } from "../support/config.ts";
import { type Figure, mb, ms, noBar, perSecond } from "./figure.ts";
import { inTurn, median, residentMb, timed } from "./measure.ts";
import { courses, seedPeople, seedPostgres } from "./seed.ts";
import { benchFolder, onEachEngine, type Place } from "./world.ts";

const accounts = 100_000;
const enrollments = accounts * courses;
/** The last of those seeded enrolled then, one each second before. */
const lastEnrolledAt = (1_700_000_000 + enrollments) * 1000;
const dripDay = 30;

/**
 * Scheduling lesson emails with a million enrollments, an enrollment a second: an hour in which
 * nothing has opened, the morning after one day of enrollments, and after the three days that are
 * looked at.
 */
export const lessonEmailFigures = () => onEachEngine(plannedOn);

async function plannedOn(engine: string, place: Place): Promise<Figure[]> {
  const { url, drop } = await place();
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
  const figure = (what: string, measured: string) =>
    noBar(`lesson emails, ${engine}, ${enrollments} enrollments: ${what}`, measured);
  const figures = [figure("an hour in which nothing opens", ms(quiet))];
  clock.forwardDays(dripDay);
  for (const days of [1, 3]) {
    clock.forwardDays(days);
    const { at } = nextMorning(clock.now(), site.timeZone, 8);
    clock.forward(at.getTime() - clock.now().getTime());
    let due = 0;
    const took = await timed(async () => {
      due = await planLessonEmails(services);
    });
    const rate = perSecond(due / (took / 1000));
    figures.push(
      figure(
        `a morning, after ${days} days of enrollments`,
        `${due} emails in ${(took / 1000).toFixed(1)} s = ${rate} (${mb(residentMb(process.pid))} resident)`,
      ),
    );
  }
  await closeServices(services);
  await drop?.();
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
