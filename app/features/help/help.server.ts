import type { Services } from "~/platform/http/services.ts";
import help from "~content/help/countries.json" with { type: "json" };
import type { CountryHelp } from "~content/schema.ts";
import { helpNow } from "~content/site.ts";
import { anchorOf, canonicalZone, isDue, zonesOf } from "./rules.ts";

export type { CountryHelp };

/** What the player and the journal hold of a country. */
export type NearHelp = Pick<CountryHelp, "code" | "name" | "emergency"> & {
  lines: Pick<CountryHelp["lines"][number], "name" | "call" | "text" | "hours">[];
};

const { emergencySource } = help;
const countries: CountryHelp[] = help.countries.toSorted((a, b) =>
  a.name.localeCompare(b.name, "en"),
);
const byCode = new Map(
  countries.flatMap((country) =>
    [country.code, ...(country.also ?? [])].map((code) => [code, country]),
  ),
);
const codes = zonesOf([...byCode.keys()]);
const countryAt = (timeZone: string) => byCode.get(codes.get(canonicalZone(timeZone)) ?? "");

/** All of content/help/countries.json, by the countries' names. */
export const listHelp = () => ({ countries, emergencySource });

/** The country of a time zone; null where content/help does not have it. */
export function findHelp(timeZone: string): CountryHelp | null {
  return countryAt(timeZone) ?? null;
}

/** The numbers of a time zone's country, without their sources. */
export function findNearHelp(timeZone: string): NearHelp | null {
  const country = countryAt(timeZone);
  if (!country) return null;
  const { code, name, emergency, lines } = country;
  return {
    ...{ code, name, emergency },
    lines: lines.map(({ name, call, text, hours }) => ({ name, call, text, hours })),
  };
}

/** The address of /help with the country of an account's time zone, for emails. */
export function helpUrl({ config }: Pick<Services, "config">, timeZone: string): string {
  const country = countryAt(timeZone);
  return `${config.appUrl}${helpNow.href}${country ? `#${anchorOf(country.code)}` : ""}`;
}

/** The countries whose numbers are due for a look (over 180 days), the oldest first. */
export function helpDue(now: Date): CountryHelp[] {
  return countries
    .filter(({ checked }) => isDue(checked, now))
    .toSorted((a, b) => a.checked.localeCompare(b.checked));
}
