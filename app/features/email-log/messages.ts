/** Spec 8, Admin loads failing. */
export const emailLogLoadFailed = "Failed to load emails";

/** By which the list can be narrowed. */
export const emailStates = ["waiting", "sent", "failed"] as const;

export const stateNames = {
  waiting: "Waiting",
  sent: "Sent",
  file: "Written to a file",
  failed: "Not sent",
  done: "Not needed any more",
} as const;

/** In days: the content of a failed email, so that it can be sent again; rows that are done; rows
 * that failed; that an email was sent (content/pages/privacy.md says the same). */
export const emailLogDays = { content: 7, done: 30, failed: 90, recorded: 2 * 365 } as const;

const suppressed = "This address is on the list of addresses that get no email";

/** Why an address is on it. */
export const suppressedMessages = {
  bounce: `${suppressed}: it bounced.`,
  complaint: `${suppressed}: an email was reported as spam.`,
  manual: `${suppressed}: it was added by hand.`,
} as const;

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
  suppressed: `${suppressed}. Take it off that list first, then send this again.`,
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

/** A test email is waited for this long, in seconds. */
export const longestTest = 10;

export const testMessages = {
  subject: (site: string) => `A test email from ${site}`,
  tooMany: "Too many test emails. Please try again later.",
  failed: "Failed to send the test email",
  silent: `No answer within ${longestTest} seconds.`,
  /** What to do, by what the mail server said or did. */
  advice: {
    login:
      "The mail server does not accept the name or the password. Check both in the mail server’s address (SMTP_URL), and start the site again.",
    sender:
      "The mail server does not accept the sender. Check the sender’s address (MAIL_FROM), and start the site again.",
    away: "The mail server cannot be reached. Check its name and port in its address (SMTP_URL), and start the site again.",
    refused:
      "The mail server refused this email. Check the sender’s address (MAIL_FROM), and the email address of your account.",
    suppressed: "Take it off that list first (Email, ‘Addresses that get no email’).",
    later: "The mail server does not take it now. Please try again in a few minutes.",
    folder: "The folder for emails cannot be written to. Is the disk full?",
    unclear: "Please show this to the person who looks after the site.",
  },
} as const;
