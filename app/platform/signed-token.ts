import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Config } from "./config/config.ts";
import type { Log } from "./log/log.ts";
import { logRefusal } from "./log/refusals.ts";

/** Each purpose has a key of its own: a token made for one says nothing to another. */
function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `blue-dot ${purpose}`, 32));
}

/** 32 bytes that say nothing about `text` to whoever has not the secret. */
export function keyedHash(secret: string, purpose: string, text: string): Buffer {
  return createHmac("sha256", keyFor(secret, purpose)).update(text).digest();
}

/** `text.signature`: readable by whoever has it, made by nobody else. `text` must suit an address. */
export function signToken(secret: string, purpose: string, text: string): string {
  return `${text}.${keyedHash(secret, purpose, text).toString("base64url")}`;
}

/** The text of a token made by {@link signToken} for the same purpose, letter by letter; else null. */
export function readToken(secret: string, purpose: string, token: string): string | null {
  const dot = token.lastIndexOf(".");
  if (dot < 0) return null;
  const text = token.slice(0, dot);
  const wanted = keyedHash(secret, purpose, text).toString("base64url");
  return isSameText(token.slice(dot + 1), wanted) ? text : null;
}

/** {@link readToken} for the links of letters, of which a wrong one is a line of the log. */
export function readLinkToken(
  { config, log }: { config: Pick<Config, "authSecret">; log: Log },
  purpose: string,
  token: string,
): string | null {
  const text = readToken(config.authSecret, purpose, token);
  if (text === null && token !== "") logRefusal(log, "signature", purpose);
  return text;
}

/**
 * Compares a signature with the one that is wanted, as texts and in constant time: base64 that is
 * decoded first may have other characters behind it, between or instead, and be the same bytes.
 */
export function isSameText(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
