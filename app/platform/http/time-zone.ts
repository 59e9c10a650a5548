import { readCookie } from "../auth/cookies.ts";
import type { SessionReading } from "../auth/session.ts";
import type { Services } from "./services.ts";

const known = new Map<string, boolean>();

export function timeZoneOf(headers: Headers): string {
  return sentTimeZone(headers) ?? "UTC";
}

/** Saves the browser's zone, for emails in the user's morning; never fails the page. */
export async function rememberTimeZone(
  { db, log }: Services,
  { viewer, timeZone: stored, isZoneChosen }: SessionReading,
  headers: Headers,
): Promise<void> {
  const timeZone = viewer && sentTimeZone(headers);
  if (!timeZone || timeZone === stored || isZoneChosen) return;
  await db.write
    .updateTable("profiles")
    .set({ timeZone })
    .where("id", "=", viewer.id)
    .where("timeZoneChosenAt", "is", null)
    .execute()
    .catch((error: unknown) => log.warn({ err: error }, "a time zone could not be saved"));
}

function sentTimeZone(headers: Headers): string | null {
  const zone = readCookie(headers, "tz");
  if (!zone || zone.length > 64) return null;
  if (known.size > 1000) known.clear();
  let valid = known.get(zone);
  if (valid === undefined) {
    valid = isTimeZone(zone);
    known.set(zone, valid);
  }
  return valid ? zone : null;
}

/** Whether a text is an IANA name of a place: '+05:30' is a zone too, but no place. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return /^[A-Z]/i.test(zone);
  } catch {
    return false;
  }
}
