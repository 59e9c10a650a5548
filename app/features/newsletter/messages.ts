export const newsletterDialogId = "newsletter-dialog";

/** How long the link of a confirmation email works. */
export const confirmTime = { days: 7, words: "seven days" } as const;

/** What became of a signup. The first two are the spec's (8). */
export const newsletterMessages = {
  done: "Check your email shortly for a confirmation email (required to be subscribed). I'm glad you're here.",
  failed: "Something went wrong. Please try again.",
  tooMany: "That was a lot of signups from one place. Please try again in an hour.",
  nameMissing: "Please tell me your first name.",
  nameTooLong: "That is more than I can fit on an envelope. Please use 200 characters or fewer.",
  nameUnreadable:
    "There is a character in it that an email cannot carry. Please type it once more.",
  emailMissing: "Please tell me where to write to.",
  emailTooLong: "No email reaches an address of more than 254 characters. Please check it.",
  emailInvalid: "This address does not look complete. It should look like you@example.com.",
} as const;

/** Where subscribers come from, in words; `source` of a form or of `subscribers`. */
export const subscriberSources = {
  home: "The home page",
  about: "The about page",
  footer: "The foot of a page",
  dialog: "The dialog",
  newsletter: "The newsletter page",
  archive: "The archive",
  admin: "Added by hand",
  import: "A file",
} as const;

export type SubscriberSource = keyof typeof subscriberSources;

/** Those that a public form may say of itself. */
export const formSources = [
  "home",
  "about",
  "footer",
  "dialog",
  "newsletter",
  "archive",
] as const satisfies readonly SubscriberSource[];

/** The name of a field that only robots see and fill in. */
export const trap = "topic_2";
