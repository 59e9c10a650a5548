import { hkdfSync } from "node:crypto";

/** Wraps users' keys. `id` identifies it and reveals nothing about it. */
export type MasterKey = { id: string; bytes: Buffer };

const derive = (secret: Buffer | string, label: string, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, "", `blue-dot journal ${label}`, length));

export function masterKey(bytes: Buffer): MasterKey {
  return { bytes, id: derive(bytes, "fingerprint", 8).toString("hex") };
}

/** For sites that were set up with AUTH_SECRET alone: all their machines share it. */
export function masterKeyFrom(authSecret: string): MasterKey {
  return masterKey(derive(authSecret, "master key", 32));
}

/** 32 bytes as hex or base64; null for anything else. */
export function readKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : null;
}

export const writtenKey = ({ bytes }: MasterKey): string => bytes.toString("base64url");
