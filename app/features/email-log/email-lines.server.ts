import type { Selectable } from "kysely";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { emailLogDays, failureMessages, type stateNames, suppressedMessages } from "./messages.ts";

const dayMs = 24 * 3600_000;

/** What the email log may read of a row: never the payload. */
export const emailLogColumns = [
  "id",
  "kind",
  "subject",
  "userId",
  "address",
  "attempts",
  "leaseOwner",
  "createdAt",
  "dueAt",
  "finishedAt",
  "failedAt",
  "failure",
  "lastError",
  "worksUntilAt",
] as const;

type Row = Pick<Selectable<Tables["outbox"]>, (typeof emailLogColumns)[number]> & {
  /** Of the account; null for an address without one. */
  name: string | null;
  email: string | null;
};

export type EmailLine = ReturnType<typeof emailLine>;

/** A row of the outbox as the coach reads it. Times are in the coach's time zone. */
export function emailLine(
  { workKinds, clock }: Services,
  row: Row,
  { timeZone, isFile }: { timeZone: string; isFile: boolean },
) {
  const now = clock.now();
  const kind = workKinds.get(row.kind);
  const state = stateOf(row, isFile);
  return {
    id: row.id,
    about: kind?.label ?? "Something that this version of the site does not know",
    subject: row.subject,
    to: { userId: row.userId, name: row.name, address: row.address ?? row.email },
    state,
    when: whenOf(row, now, (date) => dateAndTime(date, timeZone)),
    reason: row.failedAt && reasonOf(row, kind, now),
    /** The server's own words, unless the reason says everything. */
    words: row.failure === "expired" || row.failure === "suppressed" ? null : row.lastError,
    canSendAgain: canSendAgain(row, now),
    // An email that waits for its hour cannot be sent earlier: it would not be true yet.
    canTryNow: state === "waiting" && !row.leaseOwner && row.lastError !== null && row.dueAt > now,
  };
}

// 'done': finished without an email to send.
function stateOf({ finishedAt, failedAt, subject }: Row, isFile: boolean): keyof typeof stateNames {
  if (failedAt) return "failed";
  if (!finishedAt) return "waiting";
  if (subject === null) return "done";
  return isFile ? "file" : "sent";
}

/** What failed before this cannot be sent again: its content is deleted. */
export const forgottenBefore = (now: Date) =>
  new Date(now.getTime() - emailLogDays.content * dayMs);

// Whether its link has expired, or would be in an email that is sent now.
const hasExpiredLink = ({ failure, worksUntilAt }: Row, now: Date) =>
  failure === "expired" || (worksUntilAt !== null && worksUntilAt <= now);

// The same rule as `canResend` in email-log.server.ts.
const canSendAgain = (row: Row, now: Date) =>
  row.failedAt !== null &&
  row.failure !== null &&
  !hasExpiredLink(row, now) &&
  row.failedAt > forgottenBefore(now);

type Kind = { sendsEmail: boolean; instead: string | null };

function reasonOf(
  row: Row,
  { sendsEmail, instead }: Kind = { sendsEmail: true, instead: null },
  now: Date,
) {
  if (hasExpiredLink(row, now))
    return [failureMessages.expiredLink, instead].filter(Boolean).join(" ");
  const why =
    row.failure === "suppressed"
      ? suppressedMessages[row.lastError as keyof typeof suppressedMessages]
      : failureMessages[sendsEmail ? "email" : "work"][row.failure ?? "exhausted"];
  return canSendAgain(row, now) ? why : `${why} ${failureMessages.forgotten}`;
}

function whenOf(row: Row, now: Date, inWords: (date: Date) => string): string {
  const { attempts, dueAt, finishedAt, failedAt } = row;
  const tried = attempts === 1 ? "Tried once." : `Tried ${attempts} times.`;
  if (failedAt) return attempts > 0 ? `${inWords(failedAt)}. ${tried}` : inWords(failedAt);
  if (finishedAt) return inWords(finishedAt);
  if (row.leaseOwner) return "Being sent just now";
  if (row.lastError === null)
    return dueAt > now ? `Goes out ${inWords(dueAt)}` : `Due since ${inWords(dueAt)}`;
  return `${tried} Next time: ${dueAt > now ? inWords(dueAt) : "as soon as it can"}`;
}
