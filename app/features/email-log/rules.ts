import { emailLogDays, failureWords } from "./messages.ts";
import type { EmailLogRow } from "./schema.ts";

const dayMs = 24 * 3600_000;

/** 'done': finished without an email to send. */
export function emailState(
  row: Pick<EmailLogRow, "finishedAt" | "failedAt" | "subject">,
): EmailLogRow["state"] {
  if (row.failedAt) return "failed";
  if (!row.finishedAt) return "waiting";
  return row.subject === null ? "done" : "sent";
}

/** What failed before this cannot be sent again: its content is deleted. */
export const forgottenBefore = (now: Date) => new Date(now.getTime() - emailLogDays.words * dayMs);

/** Rows that finished or failed before these moments are deleted. */
export const goneBefore = (now: Date) => ({
  finished: new Date(now.getTime() - emailLogDays.sent * dayMs),
  failed: new Date(now.getTime() - emailLogDays.failed * dayMs),
});

export const sentBefore = (now: Date) => new Date(now.getTime() - 2 * 365 * dayMs);

type Failed = Pick<EmailLogRow, "failedAt" | "failure" | "worksUntilAt">;

/** Whether its link has expired, or would be in an email that is sent now. */
export function hasExpiredLink({ failure, worksUntilAt }: Failed, now: Date): boolean {
  return failure === "expired" || (worksUntilAt !== null && worksUntilAt <= now);
}

export function canSendAgain(row: Failed, now: Date): boolean {
  if (!row.failedAt || row.failure === null || hasExpiredLink(row, now)) return false;
  return row.failedAt > forgottenBefore(now);
}

/** Whether it was tried and waits for its next attempt. An email that waits for its hour cannot
 * be sent earlier: it would not be true yet. */
export function canTryNow(
  {
    state,
    lastError,
    isBeingSent,
    dueAt,
  }: Pick<EmailLogRow, "state" | "lastError" | "isBeingSent" | "dueAt">,
  now: Date,
): boolean {
  return state === "waiting" && !isBeingSent && lastError !== null && dueAt > now;
}

/** `instead`: what to do when the link has expired. */
export function reasonFor(
  row: Failed,
  { sendsEmail, instead }: { sendsEmail: boolean; instead: string | null },
  now: Date,
): string {
  const words = failureWords[sendsEmail ? "letter" : "work"];
  if (hasExpiredLink(row, now)) return [failureWords.dead, instead].filter(Boolean).join(" ");
  const why = words[row.failure ?? "exhausted"];
  return canSendAgain(row, now) ? why : `${why} ${failureWords.forgotten}`;
}

type Timed = Pick<
  EmailLogRow,
  "state" | "attempts" | "isBeingSent" | "dueAt" | "finishedAt" | "failedAt" | "lastError"
>;

/** `day` formats a time. */
export function whenOf(row: Timed, now: Date, day: (date: Date) => string): string {
  const { attempts, dueAt, finishedAt, failedAt } = row;
  const tried = attempts === 1 ? "Tried once." : `Tried ${attempts} times.`;
  if (failedAt) return attempts > 0 ? `${day(failedAt)}. ${tried}` : day(failedAt);
  if (finishedAt) return day(finishedAt);
  if (row.isBeingSent) return "Being sent just now";
  const next = dueAt > now ? day(dueAt) : "as soon as it can";
  if (row.lastError === null) return dueAt > now ? `Goes out ${next}` : `Due since ${day(dueAt)}`;
  return `${tried} Next time: ${next}`;
}
