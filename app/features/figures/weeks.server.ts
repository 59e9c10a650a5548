import { formatMoney, plainMoney } from "~/features/payments/messages.ts";
import { readTallies, sumUpTallies, type Tally, type TallyKind } from "~/platform/db/tallies.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { type Weeks, weeksUntil } from "~/platform/time/weeks.ts";
import { shortDate, shortDay } from "~/platform/time/words.ts";
import { lineChart } from "./charts.server.ts";
import { weekFigureNames, weekWords } from "./messages.ts";
import { weeksShown } from "./rules.ts";

/** Prices are in it, so a site without payments counts in it. */
const usualCurrency = "usd";

type Series = {
  kind: TallyKind;
  name: string;
  /** Lowercase, of money in cents. */
  currency: string | null;
  /** One a week, the oldest first. */
  values: number[];
};

const weekOf = (services: Services, timeZone: string) =>
  weeksUntil(services.clock.now(), timeZone, weeksShown);

async function readSeries(services: Services, all: Weeks): Promise<Series[]> {
  const kinds: TallyKind[] = ["signed-up", "enrolled", "paid", "refunded", "confirmed", "gone"];
  const weeks = await readTallies(services.db, kinds, all);
  const currencies = new Set(weeks.flat().flatMap(({ subject }) => subject || []));
  if (currencies.size === 0) currencies.add(usualCurrency);
  const valuesOf = (pick: (tally: Tally) => number) =>
    weeks.map((tallies) => tallies.reduce((sum, tally) => sum + pick(tally), 0));
  const counted = (kind: TallyKind) => {
    const values = valuesOf((tally) => (tally.kind === kind ? tally.count : 0));
    return { kind, name: weekFigureNames[kind] ?? kind, currency: null, values };
  };
  const money = (kind: TallyKind) =>
    [...currencies].sort().map((currency) => ({
      ...{ kind, currency },
      name: `${weekFigureNames[kind]}${currencies.size > 1 ? `, ${currency.toUpperCase()}` : ""}`,
      values: valuesOf((tally) =>
        tally.kind === kind && tally.subject === currency ? tally.cents : 0,
      ),
    }));
  // The provider's list is not ours to count.
  const list = services.config.newsletterForm ? [] : [counted("confirmed"), counted("gone")];
  return [
    ...[counted("signed-up"), counted("enrolled")],
    ...[...money("paid"), ...money("refunded")],
    ...list,
  ];
}

/** The last weeks in the coach's time zone, each figure with its picture; this week is not over. Counted
 * is what is still here: an account that was deleted counts in no week. Money counts for good. */
export async function readWeeks(services: Services, timeZone: string) {
  const all = weekOf(services, timeZone);
  const { starts } = all;
  const names = starts.map((start) => shortDay(start, timeZone));
  const series = await readSeries(services, all);
  const figures = series.map(({ kind, name, currency, values }) => {
    const words = values.map((value) => (currency ? formatMoney(value, currency) : String(value)));
    return {
      ...{ id: currency ? `${kind}-${currency}` : kind, name, words },
      chart: lineChart(values),
      summary: weekWords(name, { names, words, values }),
    };
  });
  return { weeks: names, figures };
}

type Weekly = Awaited<ReturnType<typeof readWeeks>>;
/** A figure may lead to a page of its own. */
export type WeekSeries = Omit<Weekly, "figures"> & {
  figures: (Weekly["figures"][number] & { href?: string })[];
};

/** The same for a spreadsheet: a row for each week and figure. */
export async function listWeekFigures(services: Services, timeZone: string) {
  const all = weekOf(services, timeZone);
  const { starts } = all;
  const series = await readSeries(services, all);
  return starts.flatMap((start, at) =>
    series.map(({ name, currency, values }) => ({
      week: shortDate(start, timeZone),
      isOver: at < starts.length - 1,
      figure: name,
      value: currency ? plainMoney(values[at] ?? 0, currency) : (values[at] ?? 0),
      currency: currency?.toUpperCase() ?? "",
    })),
  );
}

export const sumUpFigures: RegularTask = {
  name: "figures.sum-up",
  run: ({ db }) => sumUpTallies(db),
};
