import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

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
  const given = Buffer.from(token.slice(dot + 1));
  const wanted = Buffer.from(keyedHash(secret, purpose, text).toString("base64url"));
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? text : null;
}
