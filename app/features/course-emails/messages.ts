import { countedNoun, mostCounted } from "~/features/courses/rules.ts";

export const courseEmailsPath = "/admin/course-emails";

/** In characters. */
export const longest = { subject: 150, text: 10_000 } as const;

/** For one course, in 24 hours; stopped ones count too. */
export const mostADay = 5;

export const courseEmailMessages = {
  loadFailed: "Failed to load the emails to students",
  failed: "Failed to send the email",
  stopFailed: "Failed to stop the email",
  resumeFailed: "Failed to send the email to the rest",
  noCourse: "Choose a course.",
  noSubject: "Write a subject.",
  longSubject: `The subject can have ${longest.subject} characters.`,
  lines: "The subject is one line of plain text.",
  noText: "Write what the email is to say.",
  longText: `The text can have ${longest.text.toLocaleString("en-US")} characters.`,
  tooMany: `${mostADay} emails in 24 hours is the limit for one course. Please send this one later.`,
  noStudents: "No student of this course can get this email.",
  already: {
    title: "This email is sent already",
    description: "It goes to each student once.",
  },
  stopped: { title: "The email is stopped", tone: "success" },
  allGone: "There is nothing to stop: the email has gone out.",
  resumed: {
    title: "Your email is on its way to the rest",
    description: "Students who have it already do not get it again.",
    tone: "success",
  },
  wasStopped:
    "You stopped this email, and some may have it. Press “Send to the rest” in the list below.",
  notStopped: "This email cannot be sent to the rest any more.",
} as const;

/** After it was written: what is known of each student goes after a month (email-log/messages.ts). */
export const resumableDays = 7;

/** Whether a student of the course gets such an email, or why not. */
export const standings = ["reached", "declined", "suspended", "deleting", "unverified"] as const;
export type Standing = (typeof standings)[number];

export type StudentCounts = Record<Standing, number> & {
  /** More enrollments than are counted. */
  isMore: boolean;
};

/** '212 students', 'at least 9,500 students', 'more than 10,000 students'. */
export const reachedInWords = ({ reached, isMore }: StudentCounts) =>
  `${isMore && reached <= mostCounted ? "at least " : ""}${countedNoun(reached, "student")}`;

/** It does not say 'sent': many emails take their time. */
export const sentToast = (counts: StudentCounts) => ({
  title: "Your email is on its way",
  description: `To ${reachedInWords(counts)}.`,
  tone: "success" as const,
});

const reasons: Record<Exclude<Standing, "reached">, string> = {
  declined: "turned these emails off",
  suspended: "suspended",
  deleting: "about to be deleted",
  unverified: "email address not confirmed",
};

/** '3 turned these emails off', for each reason that there is. */
export function leftOutInWords(counts: StudentCounts): string[] {
  const kinds = standings.filter((kind) => kind !== "reached");
  return kinds.flatMap((kind) =>
    counts[kind] > 0 ? [`${counts[kind].toLocaleString("en-US")} ${reasons[kind]}`] : [],
  );
}

type Outcome = Record<"recipients" | "sent" | "waiting" | "failed", number> &
  Record<"isGoing" | "isStopped", boolean>;

const mostShown = 1000;
const numbered = (count: number) =>
  count > mostShown ? "more than 1,000" : count.toLocaleString("en-US");

/** '120 sent, 380 waiting': what became of an email to many. */
export function outcomeInWords(
  { recipients, sent, waiting, failed, isGoing, isStopped }: Outcome,
  toFiles: boolean,
): string {
  const notSent = isGoing || isStopped ? failed : recipients - sent;
  const parts = [
    `${sent.toLocaleString("en-US")} ${toFiles ? "written to files" : "sent"}`,
    isGoing && `${numbered(waiting)} waiting`,
    notSent > 0 && `${numbered(notSent)} not sent`,
  ];
  return `${isStopped ? "Stopped: " : ""}${parts.filter(Boolean).join(", ")}.`;
}
