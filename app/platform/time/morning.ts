import { Temporal } from "temporal-polyfill";

/** A morning at some place: the moment, and the date that it has there, '2026-11-22'. */
export type Morning = { at: Date; day: string };

/**
 * The next time that clocks in `timeZone` show `hour`:00, at `from` or after it. Where clocks leave
 * the hour out on that day, it is as much later as they are moved; where they show it twice, it is
 * the first.
 * @param timeZone IANA name
 * @throws {RangeError} for a zone that is unknown here
 */
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
        // A place that changed sides of the date line has no such day: it is the next one then.
        day: morning.toPlainDate().toString(),
      };
  }
}

/** What the calendar and the clock show in `timeZone`: '2026-11-22' and 0 to 23. */
export function localHour(at: Date, timeZone: string): { day: string; hour: number } {
  const here = placed(at, timeZone);
  return { day: here.toPlainDate().toString(), hour: here.hour };
}

function placed(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
}

/** Farther ahead than anybody asks often. */
const nearMs = 3 * 24 * 3600_000;

/**
 * {@link nextMorning} for thousands of people in a few zones, from `now` on: each morning is worked
 * out once.
 * @returns a function of somebody's zone (null or unknown here: it is `otherwise`) and a time from
 * `now` on
 */
export function mornings({
  now,
  hour,
  otherwise,
}: {
  now: Date;
  hour: number;
  otherwise: string;
}): (timeZone: string | null, from: Date) => Morning {
  const known = new Map<string, Morning[]>();

  function firstIn(zone: string): Morning[] {
    const list = [nextMorning(now, zone, hour)];
    known.set(zone, list);
    return list;
  }

  function listOf(timeZone: string | null): [string, Morning[]] {
    const zone = timeZone ?? otherwise;
    const list = known.get(zone);
    if (list) return [zone, list];
    try {
      return [zone, firstIn(zone)];
    } catch (error) {
      if (!(error instanceof RangeError) || zone === otherwise) throw error;
      return listOf(otherwise);
    }
  }

  return (timeZone, from) => {
    const [zone, list] = listOf(timeZone);
    if (from.getTime() - now.getTime() > nearMs) return nextMorning(from, zone, hour);
    for (let index = 0; ; index++) {
      let found = list[index];
      if (!found) {
        const before = list[index - 1] as Morning;
        found = nextMorning(new Date(before.at.getTime() + 1), zone, hour);
        list.push(found);
      }
      if (found.at >= from) return found;
    }
  };
}
