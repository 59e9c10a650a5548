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
