import type { EmailKind } from "./messages.ts";
/** All known time zones and the current one, grouped by region. */
export function timeZones(current: string | null): { part: string; zones: string[] }[] {
  const known = new Set([...Intl.supportedValuesOf("timeZone"), ...(current ? [current] : [])]);
  const parts = Map.groupBy([...known].sort(), (zone) => zone.split("/")[0] ?? zone);
  const groups = [...parts].map(([part, zones]) => ({ part, zones }));
  // Zones without a region, such as UTC, come last.
  return groups.toSorted((a, b) => Number(isAlone(a)) - Number(isAlone(b)));
}

const isAlone = ({ part, zones }: { part: string; zones: string[] }) => zones[0] === part;

/** 'New York', for display; the zone name itself is what is stored. */
export function timeZonePlace(zone: string): string {
  const [part = zone, ...rest] = zone.split("/");
  return (rest.length > 0 ? rest.join(", ") : part).replaceAll("_", " ");
}

/** The kinds of email that an account can get, and whether they are wanted. */
export type EmailPreferences = Partial<Record<EmailKind, boolean>>;

/** Unsubscribe links for emails: absolute URLs that work signed out. */
export type UnsubscribeLinks = {
  preferences: string;
  off: string;
};

export type FoundPerson = { id: string; name: string; email: string };
