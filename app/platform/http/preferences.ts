import { z } from "zod";
import { readCookie } from "../auth/cookies.ts";
import { isTimeZone } from "./time-zone.ts";

// Scripts read these cookies, so they are not HttpOnly: docs/decisions/018.

/** The longest that browsers grant (RFC 6265bis, 5.5). */
const longestSeconds = 400 * 24 * 3600;

const zone = z.string().max(64).refine(isTimeZone);
const values = { theme: z.enum(["light", "dark"]), tz: zone };

/** What a browser may ask to be set, as fields of a form: one of them, or both. */
export const preferencesForm = z
  .object({ theme: z.enum(["system", "light", "dark"]), tz: zone })
  .partial()
  .refine(({ theme, tz }) => theme || tz);

export function preferenceCookie(name: string, value: string): string {
  const seconds = value === "system" ? 0 : longestSeconds;
  return `${name}=${encodeURIComponent(value)}; Max-Age=${seconds}; Path=/; SameSite=Lax`;
}

export function renewedPreferences(headers: Headers): string[] {
  return Object.entries(values).flatMap(([name, schema]) => {
    const { data } = schema.safeParse(readCookie(headers, name));
    return data ? [preferenceCookie(name, data)] : [];
  });
}
