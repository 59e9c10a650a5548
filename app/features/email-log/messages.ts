/** Spec 8, Admin loads failing. */
export const emailLogLoadFailed = "Failed to load emails";

export const stateNames = {
  waiting: "Waiting",
  sent: "Sent",
  failed: "Not sent",
  done: "Not needed any more",
} as const;

/** In days: the content of a failed email, so that it can be sent again; rows that are done;
 * rows that failed (content/pages/privacy.md says the same). */
export const emailLogDays = { words: 7, sent: 30, failed: 90 } as const;

export const failureWords = {
  letter: {
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
  dead: "Its link does not work any more, so it cannot be sent again.",
  forgotten: `It failed more than ${emailLogDays.words} days ago: what it said is not kept, and it cannot be sent again.`,
} as const;

export const emailLogMessages = {
  gone: "This email has changed meanwhile. Please look again.",
  dead: "The link in this email has expired, so it cannot be sent again.",
  failed: "Failed to change the email",
  onItsWay: { title: "It will be tried again", tone: "success" },
  removed: { title: "Removed from the list", tone: "success" },
} as const;

/** It does not say 'sent': an email about lessons waits for the morning. */
export function allQueued(count: number) {
  if (count === 0) return { title: "There was nothing to send again" };
  const title = `${count === 1 ? "One" : count.toLocaleString("en-US")} will be tried again`;
  return { title, tone: "success" as const };
}

export function allRemoved(count: number) {
  if (count === 0) return { title: "There was nothing to remove" };
  const title =
    count === 1
      ? "One removed from the list"
      : `${count.toLocaleString("en-US")} removed from the list`;
  return { title, tone: "success" as const };
}
