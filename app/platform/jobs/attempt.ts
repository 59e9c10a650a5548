import { setTimeout } from "node:timers/promises";
import { isUnreachable } from "../db/errors.ts";
import type { WorkFailure } from "../db/tables.ts";
import { EmailDelayed, EmailRefused, MailServerAway } from "../email/mail.ts";
import { AddressSuppressed, LeaseOver, noting, type SentEmailNote } from "../email/sent.ts";
import type { Services } from "../http/services.ts";
import { finish, type OutboxRow, releaseJob, releaseJobs, retryAfterMs } from "./claim.ts";
import { type AnyJob, Expired, PermanentFailure } from "./job.ts";

const insistEveryMs = 500;

/** After this an email that could not be sent is given up, however little it was its own fault. */
const longestAwayMs = 14 * 24 * 3600_000;

export type Attempt = {
  job: AnyJob;
  row: OutboxRow;
  /** Aborts the work: the row is released as if it had not been tried. */
  signal: AbortSignal;
  mayBegin: () => boolean;
  /** Whether another worker may have the row, or the site stops: its end is then not insisted
   * on. */
  isOver: () => boolean;
  /** Whether finding the mail server away counts against this row alone. */
  isOwnFault: () => boolean;
};

export type Ending = { mail: "here" | "unknown" } | { mail: "away"; words: string };

/** Does the work of one row and records how it ended. @throws when that cannot be recorded */
export async function attempt(services: Services, work: Attempt): Promise<Ending> {
  const { job, row, signal, mayBegin } = work;
  const { clock } = services;
  const sent: SentEmailNote[] = [];
  const suppressions = job.ignoresSuppression ? null : services.db.read;
  const now = () => clock.now();
  const mail = noting(services.mail, { sent, now, signal, mayBegin, suppressions });
  try {
    if (row.worksUntilAt && row.worksUntilAt <= clock.now()) throw new Expired();
    await job.perform({ ...services, mail }, row.payload, { id: row.id, signal });
  } catch (error) {
    return failed(services, work, error);
  }
  await done(services, work, sent);
  return { mail: sent.length > 0 ? "here" : "unknown" };
}

async function failed(
  { db, clock, log }: Services,
  { job, row, signal, isOwnFault }: Attempt,
  error: unknown,
): Promise<Ending> {
  const now = clock.now();
  const words = reasonOf(error);
  const isAway = error instanceof MailServerAway;
  const isTooOld = now.getTime() - row.dueAt.getTime() > longestAwayMs;
  const waits = isAway && !isTooOld && !isOwnFault();
  if (signal.aborted || error instanceof LeaseOver || waits) {
    await releaseJobs(db, { owner: row.leaseOwner ?? "", ids: [row.id] });
    return isAway ? { mail: "away", words } : { mail: "unknown" };
  }
  const failure = isAway && isTooOld ? "exhausted" : permanentOf(error);
  const attempts = row.attempts + 1;
  const delay = failure ? null : retryAfterMs(attempts, job.maxAttempts);
  log.warn({ kind: row.kind, row: row.id, attempts, again: delay }, "work failed");
  const end =
    delay === null
      ? { failure: failure ?? "exhausted" }
      : { retryAt: new Date(now.getTime() + delay) };
  await releaseJob(db, row, { now, error: words, ...end });
  if (isAway) return { mail: "away", words };
  const hasAnswered = error instanceof EmailRefused || error instanceof EmailDelayed;
  return { mail: hasAnswered ? "here" : "unknown" };
}

async function done({ db, clock, log }: Services, work: Attempt, emails: SentEmailNote[]) {
  const { job, row, isOver } = work;
  const forgetsWhom = job.recorded === false || !job.sendsEmail;
  let onRecord = !forgetsWhom;
  let refusals = 0;
  await insist(async () => {
    try {
      await finish(db, row, { now: clock.now(), emails, onRecord, forgetsWhom });
    } catch (error) {
      // An email that is not recorded is better than one that is sent twice for want of a record.
      if (!isUnreachable(error) && ++refusals === 3) {
        log.error({ err: error, row: row.id }, "an email that was sent is not on record");
        onRecord = false;
      }
      throw error;
    }
  }, isOver);
}

/** Why a retry is pointless; null when it is not. */
function permanentOf(error: unknown): WorkFailure | null {
  if (error instanceof Expired) return "expired";
  if (error instanceof EmailRefused) return "refused";
  if (error instanceof AddressSuppressed) return "suppressed";
  return error instanceof PermanentFailure ? "broken" : null;
}

/** Work that is done and not recorded would be done twice: a database that is away is waited
 * for, as long as no other worker may take the row. */
async function insist(write: () => Promise<void>, isOver: () => boolean): Promise<void> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (isOver()) throw error;
      await setTimeout(insistEveryMs);
    }
  }
}

/** What went wrong, without addresses. */
export function reasonOf(error: unknown): string {
  const words = String((error as Error)?.message ?? error);
  // Not cut within a word, which may be half an address.
  const said = words.length > 1000 ? words.slice(0, 1000).replace(/\S{1,300}$/, "") : words;
  return said.replace(/("[^"]*"|[^\s<>@]+)@[^\s<>@]+/g, "[address]");
}
