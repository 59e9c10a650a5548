import type { z } from "zod";
import { defaultDestination } from "./messages.ts";

const base = "https://self.invalid";

/** A path on this site; anything a browser could read as another host falls back. */
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

/** A page with its redirect target, in the spec's form: `/auth?redirect=/courses/x`. */
export function authPath(destination: string, page = "/auth"): string {
  const plain = encodeURIComponent(destination).replaceAll("%2F", "/").replaceAll("%3A", ":");
  return `${page}?redirect=${plain}`;
}

/** Only the first message of a failed form is shown (spec 5). */
export function firstMessage(result: z.ZodSafeParseResult<unknown>): string | null {
  return firstFieldError(result)?.message ?? null;
}

export function firstFieldError(
  result: z.ZodSafeParseResult<unknown>,
): { field: string; message: string } | null {
  const issue = result.error?.issues[0];
  return issue ? { field: String(issue.path[0] ?? ""), message: issue.message } : null;
}

/** Digits and lower-case letters that are not easily confused (Crockford's base 32). */
export const codeAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Characters of a backup code: 50 bits. */
export const codeLength = 10;

export type ReadCode = { kind: "app" | "recovery"; code: string };

/** Normalizes a typed or pasted code; null when it cannot be a code. */
export function readCode(typed: string): ReadCode | null {
  const plain = typed.replaceAll(/[\s\u200b-\u200d\ufeff._–—-]/gu, "").toLowerCase();
  if (/^\d{6}$/.test(plain)) return { kind: "app", code: plain };
  // Common misreadings: o for 0, l or i for 1.
  const code = plain.replaceAll("o", "0").replaceAll(/[il]/g, "1");
  const isCode =
    code.length === codeLength && [...code].every((character) => codeAlphabet.includes(character));
  return isCode ? { kind: "recovery", code } : null;
}

export function shownCode(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

export function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

export function typedSecret(setupAddress: string): string {
  return inGroups(new URL(setupAddress).searchParams.get("secret") ?? "");
}

/** Lower-case lists of what attackers try first. */
export type CommonPasswords = {
  passwords: ReadonlySet<string>;
  /** Words of letters only, to which people add digits or signs. */
  words: ReadonlySet<string>;
};

// Shorter parts of names would reject too many passwords.
const shortestOwn = 3;

/** Common passwords or words, or only `own` words (OWASP ASVS 5.0, V6.2.4 and V6.2.11). */
export function isGuessable(
  password: string,
  { passwords, words }: CommonPasswords,
  own: readonly string[],
): boolean {
  const small = password.toLowerCase();
  const core = small.replaceAll(/^\P{L}+|\P{L}+$/gu, "");
  return passwords.has(small) || words.has(core) || isMadeOf(lettersOf(small), partsOf(own));
}

const lettersOf = (text: string) => text.replaceAll(/\P{L}/gu, "");

// 'Ada.Lovelace@example.com' has four parts.
const partsOf = (own: readonly string[]) =>
  own
    .flatMap((text) => text.toLowerCase().split(/\P{L}+/u))
    .filter((part) => part.length >= shortestOwn);

function isMadeOf(text: string, parts: readonly string[]): boolean {
  const ends = new Set([0]);
  for (let at = 0; at < text.length; at += 1)
    if (ends.has(at))
      for (const part of parts) if (text.startsWith(part, at)) ends.add(at + part.length);
  return text !== "" && ends.has(text.length);
}
