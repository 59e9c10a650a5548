import { Temporal } from "temporal-polyfill";

export type Morning = { at: Date; day: string };

/** When clocks in `timeZone` (IANA) next show `hour`:00: later by as much as they skip, or the
 * first of two. @throws {RangeError} for an unknown zone */
export function nextMorning(from: Date, timeZone: string, hour: number): Morning {
  const here = placed(from, timeZone);
  const time = { hour };
  for (let days = 0; ; days++) {
    const morning = here
      .toPlainDate()
      .add({ days })
      .toPlainDateTime(time)
      .toZonedDateTime(timeZone, { disambiguation: "compatible" });
    if (morning.epochMilliseconds >= from.getTime())
      return {
        at: new Date(morning.epochMilliseconds),
        // A place that crossed the date line has no such day; then it is the next one.
        day: morning.toPlainDate().toString(),
      };
  }
}

/** `hour`:00 in `timeZone`, so many days of its calendar after `from`. @throws {RangeError} for an unknown
 * zone */
export function morningAfter(from: Date, timeZone: string, days: number, hour: number): Date {
  const morning = placed(from, timeZone).toPlainDate().add({ days }).toPlainDateTime({ hour });
  return new Date(morning.toZonedDateTime(timeZone).epochMilliseconds);
}

export function localHour(at: Date, timeZone: string): { day: string; hour: number } {
  const here = placed(at, timeZone);
  return { day: here.toPlainDate().toString(), hour: here.hour };
}

/** When a day such as '2026-11-30' begins in `timeZone`; null for what is no day. */
export function startOfDay(day: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  try {
    const start = Temporal.PlainDate.from(day).toZonedDateTime(timeZone);
    return new Date(start.epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** When clocks in `timeZone` show a time such as '2026-11-30T08:00'; null for what is no time. */
export function atLocalTime(text: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  try {
    const time = Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone);
    return new Date(time.epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function placed(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
}
