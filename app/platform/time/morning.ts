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

export function localHour(at: Date, timeZone: string): { day: string; hour: number } {
  const here = placed(at, timeZone);
  return { day: here.toPlainDate().toString(), hour: here.hour };
}

function placed(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
}

const nearMs = 3 * 24 * 3600_000;

/** {@link nextMorning} for thousands of users in a few zones: computes each morning once. */
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
