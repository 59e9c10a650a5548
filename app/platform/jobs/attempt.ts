import { setTimeout } from "node:timers/promises";
import { isUnreachable } from "../db/errors.ts";
import type { WorkFailure } from "../db/outbox-table.ts";
import { MailDelayed, MailRefused, MailServerAway } from "../mail/mail.ts";
import { LeaseOver, noting, type SentLetter } from "../mail/sent.ts";
import type { Services } from "../services.ts";
import { retryAfterMs } from "./backoff.ts";
import { finish, giveBack, handBack, type OutboxRow } from "./claim.ts";
import { type AnyJob, Expired, PermanentFailure } from "./job.ts";

const insistEveryMs = 500;

/** A letter that could not go out for so long, however little it was its own fault, is given up. */
const longestAwayMs = 14 * 24 * 3600_000;

export type Attempt = {
  job: AnyJob;
  row: OutboxRow;
  /** Cuts the work off: the row is given back as if it had not been tried. */
  signal: AbortSignal;
  /** Whether the row is still ours for so long that a letter may be begun. */
  mayBegin: () => boolean;
  /** Whether the row may be somebody else's by now, or the site stops: its end is not insisted on. */
  isOver: () => boolean;
  /** Whether it is this row's own matter should it find the mail server away. */
  isOwnMatter: () => boolean;
};

/** What was heard of the mail server: it takes letters, it is away, or nothing. */
export type Ending = { mail: "here" | "unknown" } | { mail: "away"; words: string };

/** Does the work of one row, once, and writes down how it ended. @throws when that cannot be written */
export async function attempt(services: Services, work: Attempt): Promise<Ending> {
  const { job, row, signal, mayBegin } = work;
  const { clock } = services;
  const sent: SentLetter[] = [];
  const mail = noting(services.mail, { sent, now: () => clock.now(), signal, mayBegin });
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
  { job, row, signal, isOwnMatter }: Attempt,
  error: unknown,
): Promise<Ending> {
  const now = clock.now();
  const words = reasonOf(error);
  const isAway = error instanceof MailServerAway;
  const isTooOld = now.getTime() - row.dueAt.getTime() > longestAwayMs;
  const waits = isAway && !isTooOld && !isOwnMatter();
  if (signal.aborted || error instanceof LeaseOver || waits) {
    await handBack(db, { owner: row.leaseOwner ?? "", ids: [row.id] });
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
  await giveBack(db, row, { now, error: words, ...end });
  if (isAway) return { mail: "away", words };
  const hasAnswered = error instanceof MailRefused || error instanceof MailDelayed;
  return { mail: hasAnswered ? "here" : "unknown" };
}

async function done({ db, clock, log }: Services, work: Attempt, letters: SentLetter[]) {
  const { job, row, isOver } = work;
  const forgetsWhom = job.recorded === false || !job.isLetter;
  let onRecord = !forgetsWhom;
  let refusals = 0;
  await insist(async () => {
    try {
      await finish(db, row, { now: clock.now(), letters, onRecord, forgetsWhom });
    } catch (error) {
      // Better a letter that is not on record than one that goes out again for want of it.
      if (!isUnreachable(error) && ++refusals === 3) {
        log.error({ err: error, row: row.id }, "a letter that went out is not on record");
        onRecord = false;
      }
      throw error;
    }
  }, isOver);
}

/** Why trying again is no use; null where it may be. */
function permanentOf(error: unknown): WorkFailure | null {
  if (error instanceof Expired) return "expired";
  if (error instanceof MailRefused) return "refused";
  return error instanceof PermanentFailure ? "broken" : null;
}

/**
 * Done work that is not written down as done would be done twice: a database that is away for a
 * while is waited for, as long as nobody else may take the row.
 */
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

/** What is kept of a failure: servers that refuse a letter repeat whom it was for. */
function reasonOf(error: unknown): string {
  const words = String((error as Error)?.message ?? error);
  // Not cut in the middle of a word, which may be half an address.
  const said = words.length > 1000 ? words.slice(0, 1000).replace(/\S{1,300}$/, "") : words;
  return said.replace(/("[^"]*"|[^\s<>@]+)@[^\s<>@]+/g, "[address]");
}
