import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { isSameText } from "../crypto/signed-token.ts";

/** In seconds (spec 9). */
export const mediaLifetimeSeconds = 3600;

/** A key of its own, so that media URLs reveal nothing about the site's secret. */
function mediaKey(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const bytes = hkdfSync("sha256", secret, "", "blue-dot media address", 32);
  const key = createSecretKey(Buffer.from(bytes));
  keys.set(secret, key);
  return key;
}

/** One for each secret: deriving a key costs as much as the rest of a URL. */
const keys = new Map<string, KeyObject>();

type Signed = { bucket: string; key: string; name?: string | null | undefined };

function sign(secret: string, { bucket, key, name }: Signed, expires: number): string {
  const text = name
    ? JSON.stringify([bucket, key, expires, name])
    : `${bucket}\n${key}\n${expires}`;
  return createHmac("sha256", mediaKey(secret)).update(text).digest("base64url");
}

/** `/media/{bucket}/{key}?expires&signature`, valid for an hour from `now`, to save as `name`. */
export function signMediaUrl(
  secret: string,
  bucket: string,
  key: string,
  now: Date,
  name?: string,
): string {
  const expires = Math.floor(now.getTime() / 1000) + mediaLifetimeSeconds;
  const signature = sign(secret, { bucket, key, name }, expires);
  const path = key.split("/").map(encodeURIComponent).join("/");
  const named = name ? `&name=${encodeURIComponent(name)}` : "";
  return `/media/${bucket}/${path}?expires=${expires}&signature=${signature}${named}`;
}

export function verifyMediaUrl(
  secret: string,
  address: Signed & { expires: string | null; signature: string | null },
  now: Date,
): boolean {
  if (!address.signature || !/^[1-9]\d{0,11}$/.test(address.expires ?? "")) return false;
  const expires = Number(address.expires);
  if (expires * 1000 <= now.getTime()) return false;
  return isSameText(address.signature, sign(secret, address, expires));
}
