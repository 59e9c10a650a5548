/** Between two prompts in the journal text (spec 5, Journal). */
export const journalSeparator = "\n\n---\n\n";

/** Said of answers that are longer than the site takes. */
export const journalTooLong =
  "What you wrote is too long to be saved: an answer holds 100,000 characters, a lesson 400,000. Nothing is lost: it is still in the boxes, and your browser’s back button brings it back. Please shorten it, or copy part of it to a safe place.";

export const signedOutWhileWriting =
  "You have been signed out. What you wrote is still here. Sign in again in a new tab, then come back to this one and press the button once more.";

export const discardFailed = {
  title: "The draft could not be discarded just now.",
  tone: "destructive",
} as const;

// Also said before the script of the photographs is loaded.
export const photographUnreachable =
  "The site cannot be reached just now. Your photograph is not saved yet: it stays in this page, and is sent as soon as the site can be reached.";

// Apart from the texts: the player leads to the journal, and does without its messages.
export const journalPath = "/my-courses/journal";
export const draftPath = (id = ""): string => `${journalPath}?lesson=draft.${id}#draft-${id}`;
/** The whole of it, to be printed. */
export const bookPath = "/my-courses/journal/book";
export const markdownPath = "/my-courses/journal.md";
export const exportPath = "/account/export";

/** Texts about a user's storage. None of them says how much a journal should hold. */
export const storageMessages = {
  full: "There is no room left for more of your words, so this is not saved on the site. Nothing is lost: what you wrote is still in the boxes. In My journal you can take everything with you, and delete drafts that you no longer need. Then it can be saved.",
  tooFast:
    "A great deal is being saved at once. Nothing is lost: what you wrote is still in the boxes, or comes back with your browser’s back button. Please try again in a minute.",
} as const;

/** Shown from 80 percent of the storage on, and when it is full. */
export const nearlyFull = (percent: number): string =>
  percent < 100
    ? `Your journal uses ${percent} percent of its storage.`
    : "Your journal has used all of its storage.";
