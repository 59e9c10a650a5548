import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Config } from "../config/config.ts";
import { type Log, logRefusal } from "../log/log.ts";

// One key per purpose: a token for one purpose is invalid for another.
function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `blue-dot ${purpose}`, 32));
}

/** 32 bytes that reveal nothing about `text` without the secret. */
export function keyedHash(secret: string, purpose: string, text: string): Buffer {
  return createHmac("sha256", keyFor(secret, purpose)).update(text).digest();
}

/** `text.signature`: readable by anyone, but not forgeable. `text` must suit a URL. */
export function signToken(secret: string, purpose: string, text: string): string {
  return `${text}.${keyedHash(secret, purpose, text).toString("base64url")}`;
}

/** The text of a token that {@link signToken} made for the same purpose, unchanged; else null. */
export function readToken(secret: string, purpose: string, token: string): string | null {
  const dot = token.lastIndexOf(".");
  if (dot < 0) return null;
  const text = token.slice(0, dot);
  const wanted = keyedHash(secret, purpose, text).toString("base64url");
  return isSameText(token.slice(dot + 1), wanted) ? text : null;
}

export function readLinkToken(
  { config, log }: { config: Pick<Config, "authSecret">; log: Log },
  purpose: string,
  token: string,
): string | null {
  const text = readToken(config.authSecret, purpose, token);
  if (text === null && token !== "") logRefusal(log, "signature", purpose);
  return text;
}

/** Constant-time comparison of texts: base64 with extra characters can decode to the same bytes. */
export function isSameText(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
