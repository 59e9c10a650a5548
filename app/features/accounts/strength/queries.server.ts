import type { z } from "zod";
import { site } from "~content/site.ts";
import { firstComplaint } from "../rules.ts";
import { type Commonest, isGuessable } from "./rules.ts";
import { guessable, siteWords } from "./texts.ts";

let reading: Promise<Commonest> | undefined;

/** The list is read when somebody first chooses a password: the site starts faster without it. */
function commonest(): Promise<Commonest> {
  reading ??= import("./commonest.txt?raw").then(({ default: text }) => {
    const [passwords = "", words = ""] = text.split("\n\n");
    const setOf = (lines: string) => new Set(lines.split("\n").filter(Boolean));
    return { passwords: setOf(passwords), words: setOf(words) };
  });
  return reading;
}

/** A new password, and what is known of whoever chooses it. */
type Chosen = { password: string; name?: unknown; email?: unknown };

/**
 * What is wrong with a new password that keeps the rules of schema.ts, fit to be shown at its
 * field; null when nothing is. Not for signing in: what somebody has, she has.
 */
export async function weakness({ password, name, email }: Chosen) {
  const own = [site.name, site.coach.name, site.social.handle, ...siteWords, name, email];
  const texts = own.filter((text) => typeof text === "string");
  const isWeak = isGuessable(password, await commonest(), texts);
  return isWeak ? { field: "password", message: guessable } : null;
}

/**
 * The first thing wrong with a form in which somebody chooses a password; its rules come first.
 * @param known what the form does not say of her
 */
export async function newPasswordComplaint(
  parsed: z.ZodSafeParseResult<Chosen>,
  known: Omit<Chosen, "password"> = {},
) {
  return parsed.success ? weakness({ ...known, ...parsed.data }) : firstComplaint(parsed);
}
