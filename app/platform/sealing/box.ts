import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts with AES-256-GCM and a random nonce (NIST SP 800-38D: at most 2^32 texts a key).
 * `place` is not in the result, but needed to open it again.
 * @param key 32 bytes
 * @returns nonce, tag and what was encrypted, as base64url
 */
export function closeBox(key: Buffer, place: string, content: Buffer): string {
  const iv = randomBytes(ivBytes);
  const closing = createCipheriv(cipher, key, iv, { authTagLength: tagBytes });
  closing.setAAD(Buffer.from(place));
  const body = Buffer.concat([closing.update(content), closing.final()]);
  return Buffer.concat([iv, closing.getAuthTag(), body]).toString("base64url");
}

/** What {@link closeBox} closed; null with another key or place, or when a bit of it was changed. */
export function openBox(key: Buffer, place: string, box: string): Buffer | null {
  const bytes = Buffer.from(box, "base64url");
  if (bytes.length < ivBytes + tagBytes) return null;
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  opening.setAAD(Buffer.from(place));
  opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([opening.update(bytes.subarray(ivBytes + tagBytes)), opening.final()]);
  } catch {
    return null;
  }
}
