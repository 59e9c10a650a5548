/** Spec 8, Admin loads failing. */
export const emailLogLoadFailed = "Failed to load emails";

/** By which the list can be narrowed. */
export const emailStates = ["waiting", "sent", "failed"] as const;

export const stateNames = {
  waiting: "Waiting",
  sent: "Sent",
  failed: "Not sent",
  done: "Not needed any more",
} as const;

/** In days: the content of a failed email, so that it can be sent again; rows that are done; rows
 * that failed; that an email was sent (content/pages/privacy.md says the same). */
export const emailLogDays = { content: 7, done: 30, failed: 90, recorded: 2 * 365 } as const;

export const failureMessages = {
  email: {
    refused: "The receiving mail server refused it. Is the address right?",
    exhausted: "It was tried for days, and the mail server did not accept it.",
    expired: "Its link stopped working before it could be sent.",
    broken:
      "Something is wrong with the email itself. Please show this to the person who looks after the site.",
    interrupted:
      "The site stopped in the middle of sending it, again and again. Please show this to whoever looks after the site before you send it again.",
  },
  work: {
    refused: "It was refused where it was to go.",
    exhausted: "It was tried for weeks, and could not be passed on.",
    expired: "It came too late to be of use.",
    broken: "It was refused where it was to go. Is the address right?",
    interrupted:
      "The site stopped in the middle of it, again and again. Please show this to whoever looks after the site before you send it again.",
  },
  expiredLink: "Its link does not work any more, so it cannot be sent again.",
  forgotten: `It failed more than ${emailLogDays.content} days ago: what it said is not kept, and it cannot be sent again.`,
} as const;

export const emailLogMessages = {
  gone: "This email has changed meanwhile. Please look again.",
  expired: "The link in this email has expired, so it cannot be sent again.",
  failed: "Failed to change the email",
  onItsWay: { title: "It will be tried again", tone: "success" },
  removed: { title: "Removed from the list", tone: "success" },
} as const;

const howMany = (count: number) => (count === 1 ? "One" : count.toLocaleString("en-US"));

/** It does not say 'sent': an email about lessons waits for the morning. */
export const allQueued = (count: number) =>
  count === 0
    ? { title: "There was nothing to send again" }
    : { title: `${howMany(count)} will be tried again`, tone: "success" as const };

export const allRemoved = (count: number) =>
  count === 0
    ? { title: "There was nothing to remove" }
    : { title: `${howMany(count)} removed from the list`, tone: "success" as const };
