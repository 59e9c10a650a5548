/** The one newsletter dialog of a page. */
export const newsletterDialogId = "newsletter-dialog";

/** Title and subtitle of the dialog, and of the form's own page (spec 2, Newsletter dialog). */
export const newsletterTitle = "Join my weekly newsletter";
export const newsletterSubtitle = "Reflections, tools, and insights for living with loss.";

/** How long the link of a confirmation letter works. */
export const confirmTime = { days: 7, words: "seven days" } as const;

/** What somebody is told who could not be subscribed. The first is the spec's (8). */
export const messages = {
  failed: "Something went wrong. Please try again.",
  tooMany: "That was a lot of signups from one place. Please try again in an hour.",
  nameMissing: "Please tell me your first name.",
  nameTooLong: "That is more than I can fit on an envelope. Please use 200 characters or fewer.",
  nameUnreadable:
    "There is a character in it that a letter cannot carry. Please type it once more.",
  emailMissing: "Please tell me where to write to.",
  emailTooLong: "No mail reaches an address of more than 254 characters. Please check it.",
  emailInvalid: "This address does not look complete. It should look like you@example.com.",
} as const;

/** What is said of a confirmation link that confirms nothing. */
export const deadLinks = {
  expired: {
    title: "This link no longer works",
    lead: `The link in that letter worked for ${confirmTime.words}. Sign up once more, and I’ll send you a new one.`,
  },
  replaced: {
    title: "This link no longer works",
    lead: "After another signup I wrote you another letter, and only the link in the newest one works. If you cannot find it, sign up once more.",
  },
  outdated: {
    title: "This link no longer works",
    lead: "You have unsubscribed since this letter was sent, so its link does nothing anymore. If you want the letters after all, sign up once more.",
  },
  broken: {
    title: "This link does not work",
    lead: "It may have been cut off on its way to you. Try the button in the letter again, or sign up once more and I’ll send you a new one.",
  },
} as const;

/** The name of a field that people do not see: whoever fills it in is a robot. */
export const trap = "topic_2";
