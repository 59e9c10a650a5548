import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { MasterKey } from "../config/master-key.ts";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a random nonce (NIST SP 800-38D: at most 2^32 texts a key). Decrypting needs
 * the same `place`. @param key 32 bytes @returns nonce, tag and ciphertext */
function closeBytes(key: Buffer, place: string, content: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes);
  const closing = createCipheriv(cipher, key, iv, { authTagLength: tagBytes });
  closing.setAAD(Buffer.from(place));
  const body = [closing.update(content), closing.final()];
  return Buffer.concat([iv, closing.getAuthTag(), ...body]);
}

/** {@link closeBytes} as base64url. */
export const closeBox = (key: Buffer, place: string, content: Buffer): string =>
  closeBytes(key, place, content).toString("base64url");

/** Null for another key or place, or when a bit was changed. */
export const openBox = (key: Buffer, place: string, box: string): Buffer | null =>
  openBytes(key, place, Buffer.from(box, "base64url"));

function openBytes(key: Buffer, place: string, bytes: Uint8Array): Buffer | null {
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

/** One user's encryption. `about` says where a text belongs, e.g. `progress:<lesson id>`:
 * elsewhere, or as another user's, it does not decrypt. */
export type Seal = {
  close(text: string, about: string): string;
  /** @throws {CannotOpen} */
  open(sealed: string, about: string): string;
  closeBytes(content: Uint8Array, about: string): Buffer;
  /** @throws {CannotOpen} */
  openBytes(sealed: Uint8Array, about: string): Buffer;
};

/** The message contains neither text nor key. */
export class CannotOpen extends Error {
  override name = "CannotOpen";
  constructor(about: string) {
    super(`what is sealed as ${about} cannot be opened`);
  }
}

const form = "s1.";
const wrappedForm = "w1.";

const placeOf = (userId: string, about: string) => JSON.stringify([form, userId, about]);
const wrappedPlace = (userId: string, masterId: string) =>
  JSON.stringify([wrappedForm, userId, masterId]);

export function sealWith(key: Buffer, userId: string): Seal {
  return {
    close: (text, about) => form + closeBox(key, placeOf(userId, about), Buffer.from(text)),
    open(sealed, about) {
      const opened = sealed.startsWith(form)
        ? openBox(key, placeOf(userId, about), sealed.slice(form.length))
        : null;
      if (!opened) throw new CannotOpen(about);
      return opened.toString();
    },
    closeBytes: (content, about) => closeBytes(key, placeOf(userId, about), content),
    openBytes(sealed, about) {
      const opened = openBytes(key, placeOf(userId, about), sealed);
      if (!opened) throw new CannotOpen(about);
      return opened;
    },
  };
}

export const newPersonKey = (): Buffer => randomBytes(32);

export function wrapKey(master: MasterKey, userId: string, key: Buffer): string {
  return wrappedForm + closeBox(master.bytes, wrappedPlace(userId, master.id), key);
}

/** @throws {CannotOpen} */
export function unwrapKey(master: MasterKey, userId: string, wrapped: string): Buffer {
  const key = wrapped.startsWith(wrappedForm)
    ? openBox(master.bytes, wrappedPlace(userId, master.id), wrapped.slice(wrappedForm.length))
    : null;
  if (!key) throw new CannotOpen(`the key of ${userId}`);
  return key;
}
