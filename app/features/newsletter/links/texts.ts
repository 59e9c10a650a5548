import { confirmTime } from "../texts.ts";

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
