import { readCookie } from "../auth/session.ts";

const known = new Map<string, boolean>();

/** The reader's time zone, from the cookie that pages which hydrate set; UTC when it names none. */
export function timeZoneOf(headers: Headers): string {
  const zone = readCookie(headers, "tz");
  if (!zone || zone.length > 64) return "UTC";
  if (known.size > 1000) known.clear();
  let valid = known.get(zone);
  if (valid === undefined) {
    valid = isTimeZone(zone);
    known.set(zone, valid);
  }
  return valid ? zone : "UTC";
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
