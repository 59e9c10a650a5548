import { z } from "zod";

/** The letters that somebody may switch off; all others always come. */
export const letterKinds = ["lesson-opened", "module-completed"] as const;
export const letterKind = z.enum(letterKinds);
export type LetterKind = z.infer<typeof letterKind>;

/** Which of the letters she gets. */
export type LetterChoices = Record<LetterKind, boolean>;

/** Where a letter leads whoever wants fewer of them: absolute addresses that work signed out. */
export type LetterLinks = {
  /** The page on which she chooses. */
  preferences: string;
  /** The page that switches off this kind with one press. */
  off: string;
};
