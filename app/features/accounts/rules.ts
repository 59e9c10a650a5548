import type { z } from "zod";
import { defaultDestination } from "./texts.ts";

const base = "https://self.invalid";

/**
 * Where to go after signing in: a path on this site, never another site
 * (design 6). Whatever a browser could read as another host gives the fallback.
 */
export function safeDestination(target: string | null | undefined, fallback = defaultDestination) {
  if (!target?.startsWith("/") || hasControlCharacter(target)) return fallback;
  // Browsers read a backslash as a slash, so "/\host" is "//host".
  if (/^\/[/\\]/.test(target) || !URL.canParse(target, base)) return fallback;
  const url = new URL(target, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007f");
}

/** A page with the way back, as the spec writes it: `/auth?redirect=/courses/x`. */
export function authPath(destination: string, page = "/auth"): string {
  const plain = encodeURIComponent(destination).replaceAll("%2F", "/").replaceAll("%3A", ":");
  return `${page}?redirect=${plain}`;
}

/** Only the first message of a failed form is shown (spec 5). */
export function firstMessage(result: z.ZodSafeParseResult<unknown>): string | null {
  return firstComplaint(result)?.message ?? null;
}

/** The first message of a failed form with the field it belongs to; null when nothing is wrong. */
export function firstComplaint(
  result: z.ZodSafeParseResult<unknown>,
): { field: string; message: string } | null {
  const issue = result.error?.issues[0];
  return issue ? { field: String(issue.path[0] ?? ""), message: issue.message } : null;
}
