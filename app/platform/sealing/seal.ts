import { randomBytes } from "node:crypto";
import { closeBox, openBox } from "./box.ts";
import type { MasterKey } from "./master-key.ts";

/**
 * Closes and opens the texts of one person. `about` says where a text belongs, e.g.
 * `progress:<lesson id>`: elsewhere, or as another person's, it does not open.
 */
export type Seal = {
  close(text: string, about: string): string;
  /** @throws {CannotOpen} */
  open(sealed: string, about: string): string;
};

/** A sealed text was changed, belongs elsewhere, or to another key. Its message has neither text nor key. */
export class CannotOpen extends Error {
  override name = "CannotOpen";
  constructor(about: string) {
    super(`what is sealed as ${about} cannot be opened`);
  }
}

/** Before each sealed text: how it is to be opened. */
const form = "s1.";
const wrappedForm = "w1.";

const placeOf = (userId: string, about: string) => JSON.stringify([form, userId, about]);
const wrappedPlace = (userId: string, masterId: string) =>
  JSON.stringify([wrappedForm, userId, masterId]);

/** @param key the person's own, 32 bytes */
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
  };
}

/** A new key for a person. */
export const newPersonKey = (): Buffer => randomBytes(32);

/** A person's key as the database has it. */
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
