import { Temporal } from "temporal-polyfill";

export type Weeks = { starts: Date[]; end: Date };

/** The last `count` weeks in `timeZone` (IANA), from Monday to Sunday, the one of `now` last.
 * @throws {RangeError} for an unknown zone */
export function weeksUntil(now: Date, timeZone: string, count: number): Weeks {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const startOf = (weeks: number) =>
    new Date(monday.add({ weeks }).toZonedDateTime(timeZone).epochMilliseconds);
  const starts = Array.from({ length: count }, (_, at) => startOf(at + 1 - count));
  return { starts, end: startOf(1) };
}
