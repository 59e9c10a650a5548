import { hostname } from "node:os";
import { newId } from "../db/ids.ts";
import { MailRefused } from "../mail/mail.ts";
import type { Services } from "../services.ts";
import { retryAfterMs } from "./backoff.ts";
import { claimDue, finish, giveBack, type OutboxRow } from "./claim.ts";
import { type AnyJob, PermanentFailure } from "./job.ts";

const pollMs = 1000;
const batch = 5;

export type Worker = {
  /** Look for due work now instead of at the next look. */
  wake(): void;
  /** Takes no more work, finishes what is under way. */
  stop(): Promise<void>;
};

/** Starts doing the outbox's due work, `batch` rows at a time, until stopped. */
export function startWorker(services: Services, jobs: readonly AnyJob[]): Worker {
  const byKind = new Map(jobs.map((job) => [job.kind, job]));
  const owner = `${hostname()}:${process.pid}:${newId()}`;
  let stopped = false;
  let woken = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function round() {
    const rows = await claimDue(services.db, { owner, now: services.clock.now(), limit: batch });
    await Promise.all(rows.map((row) => attempt(services, byKind.get(row.kind), row)));
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
    if (!stopped) timer = setTimeout(start, pollMs);
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

async function attempt(services: Services, job: AnyJob | undefined, row: OutboxRow) {
  const { db, clock, log } = services;
  try {
    if (!job) throw new PermanentFailure(`no job of the kind '${row.kind}'`);
    await job.perform(services, row.payload, { id: row.id });
    await finish(db, row, clock.now());
  } catch (error) {
    const permanent = error instanceof PermanentFailure || error instanceof MailRefused;
    const delay = permanent ? null : retryAfterMs(row.attempts);
    const now = clock.now();
    log.warn({ kind: row.kind, row: row.id, attempts: row.attempts, again: delay }, "work failed");
    await giveBack(db, row, {
      now,
      error: String((error as Error)?.message ?? error).slice(0, 1000),
      retryAt: delay === null ? null : new Date(now.getTime() + delay),
    });
  }
}
