import { randomBytes, timingSafeEqual } from "node:crypto";
import { deriveKey } from "./hash-thread.ts";

const keyBytes = 64;
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };

const keyOf = (password: string, salt: string) =>
  deriveKey({ password: password.normalize("NFKC"), salt, keyBytes, cost });

/** Returns the library's format, `salt:key` in hex; the library's own hashing delays file reads. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${Buffer.from(await keyOf(password, salt)).toString("hex")}`;
}

/** Verifies a password against a hash, also one of the library. @throws if `hash` is malformed */
export async function verifyPassword({ password, hash }: { password: string; hash: string }) {
  const [salt, key] = hash.split(":");
  const stored = Buffer.from(key ?? "", "hex");
  if (!salt || stored.length !== keyBytes) throw new Error("a password's hash cannot be read");
  return timingSafeEqual(await keyOf(password, salt), stored);
}
