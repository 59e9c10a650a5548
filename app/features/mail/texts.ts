/** What is said where the list cannot be loaded, in the pattern of spec 8. */
export const loadFailed = "Failed to load mails";

/** What each state is called. */
export const stateNames = {
  waiting: "Waiting",
  sent: "Sent",
  failed: "Not sent",
  done: "Not needed any more",
} as const;

/**
 * How long things stay, in days: what a failed letter says, so that it can be sent again; the rows
 * of what is done; the rows of what has failed (content/pages/privacy.md says so, too).
 */
export const keptDays = { words: 7, sent: 30, failed: 90 } as const;

export const failureWords = {
  letter: {
    refused: "A mail server refused it. Is the address right?",
    exhausted: "It was tried for days, and the mail server did not take it.",
    expired: "Its link stopped working before it could be sent.",
    broken:
      "Something is wrong with the letter itself. Please show this to whoever looks after the site.",
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
  forgotten: `It failed more than ${keptDays.words} days ago: what it said is not kept, and it cannot be sent again.`,
} as const;

export const messages = {
  gone: "This letter is not in that state any more.",
  dead: "The link in this letter does not work any more, so it cannot be sent again.",
  failed: "Failed to change the mail",
  onItsWay: { title: "It will be tried again", tone: "success" },
  removed: { title: "Removed from the list", tone: "success" },
} as const;

/** 'One will be tried again'. Not that it goes: a letter about lessons waits for the morning. */
export function allOnTheirWay(count: number) {
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
