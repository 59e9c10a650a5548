import { sql } from "kysely";
import { keysetPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { weeksUntil } from "~/platform/time/weeks.ts";
import { shortDay } from "~/platform/time/words.ts";
import { lineChart } from "./charts.server.ts";
import { weekWords } from "./messages.ts";
import { weeksShown } from "./rules.ts";

const mostHosts = 10;
const mostPages = 50;
/** In days; content/pages/privacy.md says the same. */
const storedDays = 2 * 365;

const dayOf = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);

/** Visits of the last weeks of the coach's calendar; days are the site's, wherever the coach is. Hosts
 * and pages with the most first. */
export async function readVisits({ db, clock }: Services, timeZone: string) {
  const { starts } = weeksUntil(clock.now(), timeZone, weeksShown);
  const days = starts.map((start) => dayOf(start, timeZone));
  const since = db.read.selectFrom("visits").where("day", ">=", days[0] ?? "");
  const arrivals = sql<number>`sum(arrivals)`;
  const openings = sql<number>`sum(openings)`;
  const [byDay, byPage, byHost] = await Promise.all([
    since
      .select(["day", arrivals.as("arrivals")])
      .groupBy("day")
      .execute(),
    since
      .select(["page", arrivals.as("arrivals"), openings.as("openings")])
      .groupBy("page")
      .orderBy(arrivals, "desc")
      .orderBy("page")
      .limit(mostPages)
      .execute(),
    since
      .select(["host", arrivals.as("arrivals")])
      .where("host", "!=", "")
      .groupBy("host")
      .orderBy(arrivals, "desc")
      .orderBy("host")
      .limit(mostHosts)
      .execute(),
  ]);
  const values = days.map((day, at) =>
    byDay
      .filter((row) => row.day >= day && row.day < (days[at + 1] ?? "9"))
      .reduce((sum, row) => sum + Number(row.arrivals), 0),
  );
  const words = values.map((value) => value.toLocaleString("en-US"));
  const names = starts.map((start) => shortDay(start, timeZone));
  const name = "Visits";
  return {
    figure: {
      ...{ id: "visits", name, words, chart: lineChart(values) },
      summary: weekWords(name, { names, words, values }),
    },
    weeks: names,
    pages: byPage.map(({ page, ...sums }) => ({
      ...{ page, arrivals: Number(sums.arrivals), openings: Number(sums.openings) },
    })),
    hosts: byHost.map(({ host, arrivals }) => ({ host, arrivals: Number(arrivals) })),
  };
}

export type VisitSums = Awaited<ReturnType<typeof readVisits>>;

/** Every stored row, the newest day first. */
export async function listVisits(
  { db }: Services,
  { cursor, limit }: { cursor: string | null; limit: number },
) {
  const id = sql<string>`page || ' ' || host`;
  const rows = db.read
    .selectFrom("visits")
    .select(["day", "page", "host", "arrivals", "openings", id.as("id")]);
  const query = db.read.selectFrom(rows.as("visits")).selectAll().select("day as sortValue");
  const order = { column: "visits.day", id: "visits.id", direction: "desc" } as const;
  return keysetPage(query, order, { cursor, limit });
}

export const deleteOldVisits: RegularTask = {
  name: "visits.delete-old",
  async run({ db, clock, content }) {
    const before = new Date(clock.now().getTime() - storedDays * 24 * 3600_000);
    await db.write
      .deleteFrom("visits")
      .where("day", "<", dayOf(before, content.site.timeZone))
      .execute();
  },
};
