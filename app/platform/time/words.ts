/** Times in words. Made on the server, so that browser and server say the same. */

const minuteMs = 60 * 1000;
const dayMs = 24 * 3600 * 1000;

type Options = Readonly<Intl.DateTimeFormatOptions>;

const year = { year: "numeric" } as const;
const numbers = { year: "numeric", month: "numeric", day: "numeric" } as const;
const longDate = { year: "numeric", month: "long", day: "numeric" } as const;
const longDay = { month: "long", day: "numeric" } as const;
const weekday = { weekday: "long", ...longDay } as const;
const weekdayAndYear = { weekday: "long", ...longDate } as const;
const shortMonth = { month: "short", day: "numeric" } as const;
const shortWithYear = { year: "numeric", month: "short", day: "numeric" } as const;
const hours = { hour: "numeric", minute: "2-digit" } as const;
const hoursAndZone = { ...hours, timeZoneName: "longGeneric" } as const;

// Creating a formatter takes 0.15 ms and 32 KB (measured); using one takes a microsecond.
const formats = new Map<Options, Map<string, Intl.DateTimeFormat>>();
const mostZones = 50;

/** @param options one of the constants: each has formatters of its own */
function format(timeZone: string, options: Options): Intl.DateTimeFormat {
  const ofZones = formats.get(options) ?? new Map<string, Intl.DateTimeFormat>();
  formats.set(options, ofZones);
  let found = ofZones.get(timeZone);
  if (!found) {
    if (ofZones.size >= mostZones) ofZones.clear();
    found = new Intl.DateTimeFormat("en-US", { timeZone, ...options });
    ofZones.set(timeZone, found);
  }
  return found;
}

/** `otherwise` where the zone is null, or unknown to this machine. */
export function knownZone(timeZone: string | null, otherwise: string): string {
  if (timeZone === null) return otherwise;
  try {
    format(timeZone, year);
    return timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return otherwise;
  }
}

/** Names UTC after a time in it: UTC stands for an unknown zone. */
export function namedUtc(words: string, timeZone: string): string {
  return timeZone === "UTC" ? `${words} UTC` : words;
}

/** 'Monday, November 23', with the year when it is not this one. */
export function dayInWords(date: Date, now: Date, timeZone: string): string {
  const sameYear = yearOf(date, timeZone) === yearOf(now, timeZone);
  return format(timeZone, sameYear ? weekday : weekdayAndYear).format(date);
}

export function dateInWords(date: Date, timeZone: string): string {
  return format(timeZone, longDate).format(date);
}

export function shortDay(date: Date, timeZone: string): string {
  return format(timeZone, shortMonth).format(date);
}

/** 'Nov 23, 2025'. */
export function shortDate(date: Date, timeZone: string): string {
  return format(timeZone, shortWithYear).format(date);
}

export function clockTime(date: Date, timeZone: string): string {
  return format(timeZone, hours).format(date);
}

/** '8:15 PM Eastern Time', for emails: they are read in other places, and shown to others. */
export function clockTimeAndZone(date: Date, timeZone: string): string {
  if (timeZone === "UTC") return namedUtc(clockTime(date, timeZone), timeZone);
  return format(timeZone, hoursAndZone).format(date);
}

/** 'Nov 23, 2025, 8:15 PM'. */
export function dateAndTime(date: Date, timeZone: string): string {
  return `${shortDate(date, timeZone)}, ${clockTime(date, timeZone)}`;
}

/** 'today at 6:55 PM', 'tomorrow at 8:10 AM' or 'on Monday, November 23, at 6:55 PM'. Rounded up
 * to the minute, so that it is true by then. */
export function comingTime(date: Date, now: Date, timeZone: string): string {
  const minute = new Date(Math.ceil(date.getTime() / minuteMs) * minuteMs);
  const time = namedUtc(clockTime(minute, timeZone), timeZone);
  const days = daysBetween(now, minute, timeZone);
  if (days <= 1) return `${days <= 0 ? "today" : "tomorrow"} at ${time}`;
  return `on ${dayInWords(minute, now, timeZone)}, at ${time}`;
}

/** {@link comingTime} of today, else 'Nov 23' or 'Nov 23 UTC', with the year when it is not this one. */
export function comingDay(date: Date, now: Date, timeZone: string): string {
  const isToday = daysBetween(now, date, timeZone) <= 0;
  if (isToday) return comingTime(date, now, timeZone);
  const sameYear = yearOf(date, timeZone) === yearOf(now, timeZone);
  return namedUtc((sameYear ? shortDay : shortDate)(date, timeZone), timeZone);
}

/** 'this morning', 'tomorrow morning' or 'on the morning of Monday, November 23'. */
export function comingMorning(date: Date, now: Date, timeZone: string): string {
  const days = daysBetween(now, date, timeZone);
  if (days <= 1) return days <= 0 ? "this morning" : "tomorrow morning";
  return `on the morning of ${dayInWords(date, now, timeZone)}`;
}

const recentMs = 2 * minuteMs;

/** 'a minute ago', 'today at 10:14 PM', 'yesterday at 11:50 PM', 'November 3 at 8:30 PM', with the
 * year when it is not this one. */
export function momentInWords(date: Date, now: Date, timeZone: string): string {
  if (now.getTime() - date.getTime() < recentMs) return "a minute ago";
  const days = daysBetween(date, now, timeZone);
  const sameYear = yearOf(date, timeZone) === yearOf(now, timeZone);
  const day = format(timeZone, sameYear ? longDay : longDate).format(date);
  return `${["today", "yesterday"][days] ?? day} at ${namedUtc(clockTime(date, timeZone), timeZone)}`;
}

const yearOf = (date: Date, timeZone: string) => format(timeZone, year).format(date);

function daysBetween(from: Date, to: Date, timeZone: string): number {
  return Math.round((midnight(to, timeZone) - midnight(from, timeZone)) / dayMs);
}

function midnight(date: Date, timeZone: string): number {
  const parts = format(timeZone, numbers).formatToParts(date);
  const of = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(of("year"), of("month") - 1, of("day"));
}
