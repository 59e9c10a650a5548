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

/** What somebody who has unsubscribed may choose from; the key is stored. */
export const leaveReasons = {
  often: "It was too often",
  different: "I hoped for something else",
  enough: "I do not need it at the moment",
  other: "Something else",
} as const;

export type LeaveReason = keyof typeof leaveReasons;

/** The choice and the text of a stored answer, for the coach. */
export function leaveReasonInWords(stored: string): string {
  const [, choice = "", text = ""] = /^(\w+)(?:: ([\s\S]*))?$/.exec(stored) ?? [];
  const words = Object.hasOwn(leaveReasons, choice) ? leaveReasons[choice as LeaveReason] : "";
  return words && text ? `${words}: ${text}` : words || stored;
}

export const leaveMessages = {
  tooLong: "Please use 300 characters or fewer.",
  thanks: { title: "Thank you for telling me." },
} as const;

export const subscribersPath = "/admin/newsletter/subscribers";

export const subscriberStates = {
  confirmed: "Confirmed",
  waiting: "Waiting",
  left: "Gone",
  suppressed: "Suppressed",
} as const;

export type SubscriberState = keyof typeof subscriberStates;

export const suppressionWords = {
  bounce: "Email to this address comes back",
  complaint: "They reported an email as spam",
  manual: "Added by hand",
} as const;

/** Issues that went to a subscriber; `DeliveryState` in words. */
export const deliveryWords = {
  waiting: "Waiting",
  sending: "Being sent",
  sent: "Sent",
  refused: "Refused by the mail server",
  doubtful: "May have arrived",
  skipped: "Left out",
} as const;

export function sourceInWords(source: string | null): string {
  return (source && subscriberSources[source as SubscriberSource]) || "";
}

export const subscriberMessages = {
  loadFailed: "Failed to load the subscribers",
  failed: "That did not work. Please try again.",
  known: "This address is on the list already.",
  suppressed: "No email is sent to this address: it came back before, or somebody complained.",
  added: {
    title: "Asked to confirm",
    description: "An email asks them to confirm. They are on the list once they press its link.",
  },
  addedAtProvider: {
    title: "Handed on",
    description: "Your newsletter provider has the signup and asks them to confirm.",
  },
  removed: { title: "Removed" },
} as const;
