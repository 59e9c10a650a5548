export const longestIssue = { subject: 200, preview: 200, body: 60_000, welcomeDays: 60 } as const;

export const adminNewsletterPath = "/admin/newsletter";
export const adminIssuePath = (id: string) => `${adminNewsletterPath}/issues/${id}`;

export const issueMessages = {
  loadFailed: "Failed to load the newsletter",
  failed: "Failed to save the issue",
  longSubject: `A subject has ${longestIssue.subject} characters at most.`,
  longPreview: `The line beside the subject has ${longestIssue.preview} characters at most.`,
  longBody: `An issue has ${longestIssue.body.toLocaleString("en-US")} characters at most.`,
  changedElsewhere: "This issue was changed elsewhere meanwhile. Your text is still here.",
  notDraft: "This issue is on its way, so its text cannot be changed.",
  unreadable: "This is not a text of an issue.",
  signedOut: "You are not signed in.",
  noCourse: "Choose a course.",
  noDay: "Choose a day.",
  noSubject: "Write a subject first.",
  noBody: "Write a text first.",
  uploading: (name: string) => `The picture “${name}” is still on its way. Please wait for it.`,
  uploadingRecording: "A recording is still on its way. Please wait for it, or remove its line.",
  timeUnclear: "Choose a day and a time.",
  timePast: "This time is past. Choose a later one, or send it now.",
  timeFar: "Choose a time within a year.",
  noReaders: "No one would get it: this choice has no readers.",
  portionUnclear: "A first portion is between 1 and 99 per cent.",
  notTracked: "Readers are not tracked: there are no numbers of who opened it or followed a link.",
  dayUnclear: "Choose a day between 0 and 60.",
  notNow: "The issue has changed meanwhile. Please look again.",
  testLimit: "Those were many test emails. Please try again in an hour.",
  textRefused: "The text cannot be made into an email. Is there something unusual in it?",
} as const;

const done = (title: string, description?: string) => ({
  ...{ title, tone: "success" as const },
  ...(description && { description }),
});

export const issueToasts = {
  saved: done("Saved"),
  deleted: done("Draft deleted"),
  duplicated: done("Copied", "This is a new draft with the same text."),
  scheduled: done("Scheduled", "Until then you can take it back."),
  sending: done("It is being sent"),
  series: done("It is part of the welcome series", "Who confirms from now on gets it."),
  lastIssueOn: done("New readers get the last issue"),
  lastIssueOff: done("New readers no longer get the last issue"),
  unscheduled: done("Taken back", "It is a draft again."),
  stopped: done("Stopped", "Emails that were just being handed over still arrive."),
  resumed: done("It goes on"),
  again: done("They will get it again"),
  shown: done("It is in the archive"),
  hidden: done("It is not in the archive any more"),
  restored: done("Brought back", "The draft has the text of that version."),
  tested: (address: string) => done("Test email sent", `It went to ${address}.`),
};

/** Why an issue stands still, for the coach. */
export const stopReasons = {
  coach: "You stopped it.",
  portion: "The first portion has been sent. Look at what came of it, then send the rest.",
  bounces:
    "It stopped by itself: many addresses do not exist. Sending on could make mail providers refuse your emails. Look at who was refused, and at where those addresses came from.",
  complaints:
    "It stopped by itself: several readers reported it as spam. Sending on could make mail providers refuse your emails.",
} as const;

export type StopReason = keyof typeof stopReasons;

const stateWords = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Being sent",
  stopped: "Stopped",
  sent: "Sent",
} as const;

/** 'To each new reader, 3 days after confirming'. */
export const welcomeInWords = (day: number) => `To each new reader, ${afterConfirming(day)}`;

const afterConfirming = (day: number) =>
  day === 0 ? "at once after confirming" : `${count(day, "day", "days")} after confirming`;

export type IssueStateName = keyof typeof stateWords;

/** What is with an issue: 'Being sent', 'Welcome series, day 3'. */
export function issueStateInWords(issue: { state: IssueStateName; welcomeDay: number | null }) {
  const { state, welcomeDay } = issue;
  const series = `Welcome series, day ${welcomeDay}`;
  if (welcomeDay === null || state === "draft") return stateWords[state];
  return state === "stopped" ? `${series}: stopped` : series;
}

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

export const readersInWords = (number: number) => count(number, "reader", "readers");

const here = "your text is on this device, for about a week";

/** Where the text of an issue is; `at` is when the server last had all of it. */
export function savingMessages(at: string) {
  const saved = at && `Saved at ${at}`;
  return {
    ...{ writing: saved, saved },
    "only-here":
      "Not saved, and this browser keeps nothing: your words are only in this page. Please copy them to a safe place.",
    unreachable: `Not saved: no connection; ${here}`,
    full: `Not saved: ${here}`,
    refused: `Not saved: ${here}`,
    "signed-out": `Not saved: you have been signed out; ${here}.`,
  };
}

/** While two texts of an issue stand beside each other. */
export const undecidedMessages = {
  ...savingMessages(""),
  refused: "Not saved: choose one of the two texts first",
};
