import { findSeal } from "~/platform/crypto/person-key.ts";
import { CannotOpen, type Seal } from "~/platform/crypto/seal.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { givenAnswers } from "./rules.ts";
import type { Answer } from "./schema.ts";

/** The places that answers and drafts are sealed for: text moved to another place cannot be opened. */
export const progressPlace = (lessonId: string): string => `progress:${lessonId}`;
export const draftPlace = (lessonId: string, draftId: string): string =>
  `draft:${lessonId}:${draftId}`;
export const photographPlace = (lessonId: string, id: string): string =>
  `picture:${lessonId}:${id}`;

/** Null when all answers are blank, so that queries see it without decrypting. */
export function sealAnswers(seal: Seal, place: string, answers: readonly Answer[]): string | null {
  if (givenAnswers(answers).length === 0) return null;
  return seal.close(JSON.stringify(answers), place);
}

/** @param seal null for a user without a key @throws {CannotOpen} */
export function openAnswers(seal: Seal | null, place: string, sealed: string | null): Answer[] {
  if (sealed === null) return [];
  if (!seal) throw new CannotOpen(place);
  return JSON.parse(seal.open(sealed, place)) as Answer[];
}

/** Opens a user's texts one by one. One that cannot be opened is null, and is logged once. */
export type Opener = (place: string, sealed: string | null) => Answer[] | null;

/** Reads the user's key; where it cannot be opened, none of their texts can.
 * @param handle the transaction's, inside one @throws {UnknownMasterKey} */
export async function openerOf(
  services: Services,
  userId: string,
  handle?: Query,
): Promise<Opener> {
  const seal = await findSeal(services, userId, handle).catch((error: unknown) =>
    logDamage(services, userId, error),
  );
  return openerWith(services, userId, seal);
}

/** {@link openerOf} where the key was read already; null for a user without a key. */
export function openerWith(
  services: Pick<Services, "log">,
  userId: string,
  seal: Seal | null,
): Opener {
  return (place, sealed) => {
    try {
      return openAnswers(seal, place, sealed);
    } catch (error) {
      return logDamage(services, userId, error);
    }
  };
}

/** The bytes of a user's picture; null for what cannot be opened, which is logged once. */
export async function openPhotograph(
  services: Services,
  { userId, place }: { userId: string; place: string },
  sealed: Uint8Array,
): Promise<Buffer | null> {
  try {
    const seal = await findSeal(services, userId);
    if (!seal) throw new CannotOpen(place);
    return seal.openBytes(sealed, place);
  } catch (error) {
    return logDamage(services, userId, error);
  }
}

const logged = new Set<string>();

/** @throws any error but {@link CannotOpen} */
function logDamage({ log }: Pick<Services, "log">, userId: string, error: unknown): null {
  if (!(error instanceof CannotOpen)) throw error;
  const line = `${userId} ${error.message}`;
  if (logged.size > 10_000) logged.clear();
  if (!logged.has(line)) log.error({ userId, reason: error.message }, "a sealed text is damaged");
  logged.add(line);
  return null;
}
