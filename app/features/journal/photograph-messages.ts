import { photographUnreachable } from "./messages.ts";
import type { Photograph, ShownPhotograph } from "./schema.ts";

/** Of a photograph of a handwritten page, as the browser sends it, and how many a lesson holds. */
export const photographLimits = { bytes: 10_000_000, ofLesson: 5 };

/** What the file field takes: a phone makes a JPEG of its own formats. */
export const photographTypes = "image/jpeg,image/png,image/webp";

export const photographPath = (id: string): string => `/my-courses/journal/picture/${id}`;

export const photographAlt = (day: string): string =>
  `Photograph of a handwritten page, added ${day}`;

/** @param day a date in words */
export const shownPhotograph = (
  { createdAt, ...picture }: Photograph,
  day: (date: Date) => string,
): ShownPhotograph => ({ ...picture, added: day(createdAt) });

export const photographMessages = {
  saved: { title: "Your photograph is saved.", tone: "success" },
  deleted: { title: "The photograph is deleted.", tone: "success" },
  hint: "A JPEG, PNG or WebP of 10 MB at most, five in a lesson. Only you can see it.",
  isFull:
    "This lesson has five photographs, which is as many as it can hold. Delete one for another.",
  sending: "Your photograph is being saved…",
  savedQuietly: "Your photograph is saved. Only you can see it.",
  unreachable: photographUnreachable,
  signedOut:
    "You have been signed out, and your photograph is not saved yet: it stays in this page, and is sent when you are back.",
  deleteUnreachable:
    "The site cannot be reached just now, and nothing was deleted. Please try again when you are online.",
  deleteSignedOut:
    "You have been signed out, and nothing was deleted. Sign in again in another tab, then try once more.",
  none: "There is no photograph in what was sent. Please choose one first.",
  large:
    "This photograph is larger than 10 MB, and was not saved. Please take it once more with a smaller size, or send a smaller copy.",
  five: "This lesson has five photographs already, which is as many as it can hold. Delete one for another.",
  full: "There is no room left for more of your photographs. In My journal you can download them all, and delete what you no longer need. What you write is saved as before.",
  diskFull:
    "There is no room for photographs on the site just now. What you write is saved as before. Please try again later.",
  tooOften: "That is many photographs within an hour. Please add the others in an hour.",
  busy: "Another photograph of yours is being prepared. Please try again in a moment.",
  failed: "Something went wrong here, and nothing was changed. Please try again in a minute.",
  missing: "There is no such photograph.",
  manyAtOnce: "Many photographs are asked for at once. Please try again in a moment.",
  gone: "It was deleted meanwhile.",
} as const;
