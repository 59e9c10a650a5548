import type { MailRow } from "./schema.ts";
import { failureWords, keptDays } from "./texts.ts";

const dayMs = 24 * 3600_000;

/** How it stands with a row. 'done': it is finished, and there was no letter to send. */
export function stateOf(
  row: Pick<MailRow, "finishedAt" | "failedAt" | "subject">,
): MailRow["state"] {
  if (row.failedAt) return "failed";
  if (!row.finishedAt) return "waiting";
  return row.subject === null ? "done" : "sent";
}

/** What failed before this is too old to be sent again: what it said is forgotten. */
export const forgottenBefore = (now: Date) => new Date(now.getTime() - keptDays.words * dayMs);

/** When rows go, as they are finished or have failed before then. */
export const goneBefore = (now: Date) => ({
  finished: new Date(now.getTime() - keptDays.sent * dayMs),
  failed: new Date(now.getTime() - keptDays.failed * dayMs),
});

/** That a letter was sent is known until it was so long ago. */
export const sentBefore = (now: Date) => new Date(now.getTime() - 2 * 365 * dayMs);

type Failed = Pick<MailRow, "failedAt" | "failure" | "worksUntilAt">;

/** Whether its link is dead, or will be none in a letter that is sent now. */
export function isDead({ failure, worksUntilAt }: Failed, now: Date): boolean {
  return failure === "expired" || (worksUntilAt !== null && worksUntilAt <= now);
}

/** Whether what failed can be sent again: its link works, and what it says is still there. */
export function canSendAgain(row: Failed, now: Date): boolean {
  if (!row.failedAt || row.failure === null || isDead(row, now)) return false;
  return row.failedAt > forgottenBefore(now);
}

/**
 * Whether trying what waits at once makes sense: it was tried before, and waits for its next turn.
 * A letter that waits for its hour goes out then: earlier, it would not be true yet.
 */
export function canTryNow(
  {
    state,
    lastError,
    isBeingSent,
    dueAt,
  }: Pick<MailRow, "state" | "lastError" | "isBeingSent" | "dueAt">,
  now: Date,
): boolean {
  return state === "waiting" && !isBeingSent && lastError !== null && dueAt > now;
}

/** Why something has failed, in plain words; `instead` says what to do where a link is dead. */
export function reasonFor(
  row: Failed,
  { isLetter, instead }: { isLetter: boolean; instead: string | null },
  now: Date,
): string {
  const words = failureWords[isLetter ? "letter" : "work"];
  if (isDead(row, now)) return [failureWords.dead, instead].filter(Boolean).join(" ");
  const why = words[row.failure ?? "exhausted"];
  return canSendAgain(row, now) ? why : `${why} ${failureWords.forgotten}`;
}

type Timed = Pick<
  MailRow,
  "state" | "attempts" | "isBeingSent" | "dueAt" | "finishedAt" | "failedAt" | "lastError"
>;

/** When it went or will go, and how often it was tried, with `day` for times in words. */
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
