import { findSeal } from "~/platform/crypto/person-key.ts";
import { CannotOpen, type Seal } from "~/platform/crypto/seal.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { givenAnswers } from "./rules.ts";
import type { Answer } from "./schema.ts";

/** Where the answers of a completed lesson belong, and those of a draft. */
export const progressPlace = (lessonId: string): string => `progress:${lessonId}`;
export const draftPlace = (lessonId: string, draftId: string): string =>
  `draft:${lessonId}:${draftId}`;

/** Answers as the database has them; null when all are blank, so that queries see that without opening. */
export function sealAnswers(seal: Seal, place: string, answers: readonly Answer[]): string | null {
  if (givenAnswers(answers).length === 0) return null;
  return seal.close(JSON.stringify(answers), place);
}

/**
 * Answers as they were given.
 * @param seal null for anyone who has no key
 * @throws {CannotOpen}
 */
export function openAnswers(seal: Seal | null, place: string, sealed: string | null): Answer[] {
  if (sealed === null) return [];
  if (!seal) throw new CannotOpen(place);
  return JSON.parse(seal.open(sealed, place)) as Answer[];
}

/**
 * Opens a person's texts one by one. A text that cannot be opened is null: it takes no other with
 * it, and its place is logged, once.
 */
export type Opener = (place: string, sealed: string | null) => Answer[] | null;

/**
 * The {@link Opener} of this person. Inside a transaction, give its handle.
 * @throws {UnknownMasterKey}
 */
export async function openerOf(
  services: Services,
  userId: string,
  handle?: Query,
): Promise<Opener> {
  return openerWith(services, userId, await sealToRead(services, userId, handle));
}

/** The {@link Opener} of a person whose key was read already; null for anyone who has none. */
export function openerWith(
  services: Pick<Services, "log">,
  userId: string,
  seal: Seal | null,
): Opener {
  return (place, sealed) => orNull(services, userId, () => openAnswers(seal, place, sealed));
}

/**
 * A person's seal; null as well where their key cannot be opened, which is logged.
 * @throws {UnknownMasterKey}
 */
async function sealToRead(
  services: Services,
  userId: string,
  handle?: Query,
): Promise<Seal | null> {
  try {
    return await findSeal(services, userId, handle);
  } catch (error) {
    return orNull(services, userId, () => {
      throw error;
    });
  }
}

/** What the work gives; null, and a line in the log, where it cannot open something of theirs. */
function orNull<T>({ log }: Pick<Services, "log">, userId: string, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    const line = `${userId} ${error.message}`;
    if (told.size > 10_000) told.clear();
    if (!told.has(line)) log.error({ userId, reason: error.message }, "a sealed text is damaged");
    told.add(line);
    return null;
  }
}

/** Pages are read again and again: each damage is a line, not one a reading. */
const told = new Set<string>();
