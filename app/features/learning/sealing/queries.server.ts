import { CannotOpen, type Seal } from "~/platform/sealing/seal.ts";
import { givenAnswers } from "../journal/rules.ts";
import type { Answer } from "../schema.ts";

/** Where the answers of a completed lesson belong, and those of a draft. */
export const progressPlace = (lessonId: string): string => `progress:${lessonId}`;
export const draftPlace = (lessonId: string, draftId: string): string =>
  `draft:${lessonId}:${draftId}`;

/** Answers as the database has them; null when all are blank, so that queries see that without opening. */
export function sealAnswers(seal: Seal, place: string, answers: readonly Answer[]): string | null {
  if (givenAnswers(answers).length === 0) return null;
  return seal.close(JSON.stringify(answers), place);
}

type Stored = {
  /** The sealed answers. */
  sealed: string | null;
  /** Readable ones of before: while there are any, they are newer than what is sealed. */
  readable: readonly Answer[] | null;
};

/**
 * Answers as they were given.
 * @param seal null for whoever has no key
 * @throws {CannotOpen}
 */
export function openAnswers(
  seal: Seal | null,
  place: string,
  { sealed, readable }: Stored,
): Answer[] {
  if (readable && readable.length > 0) return [...readable];
  if (sealed === null) return [];
  if (!seal) throw new CannotOpen(place);
  return JSON.parse(seal.open(sealed, place)) as Answer[];
}
