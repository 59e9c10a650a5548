import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { isUnreachable } from "../db/errors.ts";
import { newId } from "../db/ids.ts";
import { MailRefused } from "../mail/mail.ts";
import { noting, type SentLetter } from "../mail/sent.ts";
import type { Services } from "../services.ts";
import { retryAfterMs } from "./backoff.ts";
import { claimDue, finish, giveBack, leaseMs, type OutboxRow } from "./claim.ts";
import { type AnyJob, PermanentFailure } from "./job.ts";

const pollMs = 1000;
const insistEveryMs = 500;
const batch = 5;

export type Worker = {
  /** Look for due work now instead of at the next look. */
  wake(): void;
  /** Takes no more work, finishes what is under way. */
  stop(): Promise<void>;
};

/**
 * Starts doing the outbox's due work, until stopped. Work that waits for somebody else's machine
 * has a lane of its own: while that hangs, letters go out as ever. Kinds that are not among
 * `jobs` are left alone: a newer version beside this one may have written them.
 */
export function startWorker(services: Services, jobs: readonly AnyJob[]): Worker {
  const { fast = [], slow = [] } = Object.groupBy(jobs, (job) => (job.slow ? "slow" : "fast"));
  const lanes = [fast, slow]
    .filter((lane) => lane.length > 0)
    .map((lane) => startLane(services, lane));
  return {
    wake() {
      for (const lane of lanes) lane.wake();
    },
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

/** Does the due work of these jobs, `batch` rows at a time. */
function startLane(services: Services, jobs: readonly AnyJob[]): Worker {
  const byKind = new Map(jobs.map((job) => [job.kind, job]));
  const kinds = [...byKind.keys()];
  const owner = `${hostname()}:${process.pid}:${newId()}`;
  let stopped = false;
  let woken = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function round() {
    const now = services.clock.now();
    const rows = await claimDue(services.db, { owner, now, limit: batch, kinds });
    const isStopped = () => stopped;
    // Each to its end, so that a stop leaves none behind that still needs the database.
    const attempts = rows.map((row) =>
      attempt(services, byKind.get(row.kind) as AnyJob, row, isStopped),
    );
    const failed = (await Promise.allSettled(attempts)).find(({ status }) => status === "rejected");
    if (failed) throw (failed as PromiseRejectedResult).reason;
    return rows.length;
  }

  async function run() {
    try {
      do {
        woken = false;
        while (!stopped && (await round()) > 0);
      } while (woken && !stopped);
    } catch (error) {
      services.log.error({ err: error }, "the worker could not read or write the outbox");
    }
    running = undefined;
    if (!stopped) timer = globalThis.setTimeout(start, pollMs);
  }

  function start() {
    clearTimeout(timer);
    if (!stopped && !running) running = run();
  }

  start();
  return {
    wake() {
      woken = true;
      start();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function attempt(
  services: Services,
  job: AnyJob,
  row: OutboxRow,
  isStopped: () => boolean,
): Promise<void> {
  const { db, clock, log } = services;
  const leaseEnd = performance.now() + leaseMs;
  const sent: SentLetter[] = [];
  const mail = noting(services.mail, sent, () => clock.now());
  try {
    await job.perform({ ...services, mail }, row.payload, { id: row.id });
  } catch (error) {
    const permanent = error instanceof PermanentFailure || error instanceof MailRefused;
    const delay = permanent ? null : retryAfterMs(row.attempts, job.maxAttempts);
    const now = clock.now();
    log.warn({ kind: row.kind, row: row.id, attempts: row.attempts, again: delay }, "work failed");
    return giveBack(db, row, {
      now,
      error: reasonOf(error),
      retryAt: delay === null ? null : new Date(now.getTime() + delay),
    });
  }
  let letters = job.recorded === false ? [] : sent;
  let refusals = 0;
  await insist(
    async () => {
      try {
        await finish(db, row, { now: clock.now(), letters });
      } catch (error) {
        // Better a letter that is not on record than one that goes out again for want of it.
        if (!isUnreachable(error) && ++refusals === 3) {
          log.error({ err: error, row: row.id }, "a letter that went out is not on record");
          letters = [];
        }
        throw error;
      }
    },
    () => isStopped() || performance.now() > leaseEnd,
  );
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
