import { readCookie } from "../auth/cookies.ts";
import type { SessionReading } from "../auth/session.ts";
import type { Services } from "./services.ts";

const known = new Map<string, boolean>();

/** The zone that the user chose, else the browser's, else the one known from before. */
export function timeZoneOf({ timeZone, isZoneChosen }: SessionReading, headers: Headers): string {
  const chosen = isZoneChosen ? timeZone : null;
  return chosen ?? sentTimeZone(headers) ?? checked(timeZone) ?? "UTC";
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

/** The zone that a browser's cookie names, or a form that it sent. */
export const sentTimeZone = (headers: Headers, field?: string) =>
  checked(field ?? null) ?? checked(readCookie(headers, "tz"));

function checked(zone: string | null): string | null {
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
