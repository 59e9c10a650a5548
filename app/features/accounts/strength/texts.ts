/** Said of a new password that somebody who guesses would try early. */
export const guessable =
  "This password is easy to guess. Please choose another one: a few words in a row are good.";

/** Words of sites like this one, beside its name and the coach's: what stands on every page of it. */
export const siteWords = [
  "admin",
  "administrator",
  "calm",
  "coach",
  "coaching",
  "course",
  "courses",
  "grief",
  "journal",
  "lesson",
  "lessons",
  "loss",
  "method",
  "newsletter",
  "password",
  "student",
  "welcome",
] as const;
