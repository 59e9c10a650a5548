import type { LetterKind } from "./schema.ts";

/** Where somebody chooses her letters, and where one kind of them is switched off. */
export const preferencesPath = "/mail-preferences";
export const offPath = "/mail-preferences/off";

type Words = {
  /** Beside its box. */
  label: string;
  /** What it is and how often it comes. */
  about: string;
  /** In the letter itself: how she came by it. */
  why: string;
  /** What the button of its page ends, and what is said when it has ended. */
  stop: string;
  stopped: string;
};

/** What is said of each letter that may be switched off. */
export const letterWords: Record<LetterKind, Words> = {
  "lesson-opened": {
    label: "A lesson has opened",
    about:
      "In the morning, at most once a day, when something new opens in a course of yours. Some courses send the lesson itself.",
    why: "You have this letter because a lesson opened in a course of yours.",
    stop: "One press, and I won’t write when a lesson opens. The lessons open all the same.",
    stopped: "I no longer write when a lesson opens. The lessons open all the same.",
  },
  "module-completed": {
    label: "You finished a module",
    about: "A few words from me, about an hour after the last lesson of a module.",
    why: "You have this letter because you finished a module of a course.",
    stop: "One press, and I won’t write when you finish a module.",
    stopped: "I no longer write when you finish a module.",
  },
};

/** What is said of a link that chooses nothing. */
export const deadLinks = {
  broken: {
    title: "This link does not work",
    lead: "It may have been cut off on its way to you.",
    body: "Please use the link at the end of one of my letters, or choose your letters here, signed in.",
  },
  gone: {
    title: "No letters come any more",
    lead: "The account that this link was for is gone, and its letters with it.",
    body: "There is nothing left to switch off.",
  },
} as const;

export const messages = {
  saved: { title: "Your letters are saved.", tone: "success" },
  off: {
    title: "These letters have stopped.",
    description: "You can have them back here at any time.",
    tone: "success",
  },
} as const;
