import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { newId } from "../db/ids.ts";
import { endOutage, noteOutage } from "../email/outage.ts";
import type { Services } from "../http/services.ts";
import { withTimeout } from "../utils/clock.ts";
import { attempt, type Ending } from "./attempt.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { claimDue, goesAlone, leaseMs, type OutboxRow, releaseJobs } from "./claim.ts";
import { type AnyJob, priorityOf } from "./job.ts";
import { type Held, Leases } from "./leases.ts";

const pollMs = 1000;
/** Between two looks, so that what comes in a burst is claimed together. */
const betweenLooksMs = 25;
/** How long a stop waits for work that ignores its abort signal, and for a silent database. */
const lastLimitMs = 1_000;

/** How many rows run at once: as many emails as there are SMTP connections
 * (platform/email/smtp.ts). Work that waits for another machine has slots of its own. */
const slots = { email: 6, slow: 5 };
type Pool = keyof typeof slots;
const pools = ["email", "slow"] as const;
const poolOf = (job: AnyJob): Pool => (job.slow ? "slow" : "email");
/** Of the email slots, so many stay free of bulk work: a password email waits for no slow send. */
const notForBulk = 2;
/** Rows claimed for each slot, so that none waits for the database. */
const perSlot = 5;
const most = perSlot * (slots.email + slots.slow);

export type WorkerPace = {
  renewEvery: number;
  /** How long work in progress may take when the site stops; then it is aborted. */
  stopLimit: number;
};
export const defaultWorkerPace: WorkerPace = { renewEvery: leaseMs / 6, stopLimit: 5_000 };

export type Worker = { wake(): void; stop(): Promise<void> };

/** Does the outbox's due work until stopped, by priority, then due time. Unknown kinds are left. */
export function startWorker(
  services: Services,
  jobs: readonly AnyJob[],
  pace: WorkerPace = defaultWorkerPace,
): Worker {
  const worker = new OutboxWorker(services, jobs, pace);
  return { wake: () => worker.wake(), stop: () => worker.stop() };
}

/** Rows are claimed ahead, and their leases are renewed while they are held. A slow row occupies
 * its own slot only, and rows of lower priority take no room from those of a higher one. */
class OutboxWorker {
  readonly #services: Services;
  readonly #jobs: ReadonlyMap<string, AnyJob>;
  readonly #pace: WorkerPace;
  readonly #owner = `${hostname()}:${process.pid}:${newId()}`;
  readonly #breaker: CircuitBreaker;
  readonly #leases: Leases;
  /** Claimed and not begun: trials first, then by priority and due time. */
  #queue: Held[] = [];
  readonly #working = new Map<Held, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #isStopped = false;
  #lookAgain = false;
  /** The last claim was full: there may be more. */
  #isMore = false;
  // An outage recorded by an earlier run is over when the first email is sent.
  #isOutageNoted = true;

  constructor(services: Services, jobs: readonly AnyJob[], pace: WorkerPace) {
    this.#services = services;
    this.#jobs = new Map(jobs.map((job) => [job.kind, job]));
    this.#pace = pace;
    this.#breaker = new CircuitBreaker(services.clock);
    const onError = (error: unknown) => this.#logError(error);
    const { renewEvery } = pace;
    this.#leases = new Leases(services, { owner: this.#owner, renewEvery, onError });
    this.wake();
  }

  wake(): void {
    this.#lookAgain = true;
    if (this.#isStopped || this.#looking) return;
    clearTimeout(this.#timer);
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#lookAgain) this.wake();
      else if (!this.#isStopped) this.#timer = setTimeout(() => this.wake(), pollMs);
    });
  }

  /** Starts nothing more, releases what has not started, and ends or aborts the rest. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    // What a silent database does not release is free when its lease ends.
    if (this.#looking) await within(lastLimitMs, this.#looking);
    await within(lastLimitMs, this.#release(this.#queue.splice(0)));
    await within(this.#pace.stopLimit, Promise.all(this.#working.values()));
    this.#leases.abortAll();
    await within(lastLimitMs, Promise.all(this.#working.values()));
    this.#leases.close();
  }

  async #look(): Promise<void> {
    try {
      while (!this.#isStopped && this.#lookAgain) {
        this.#lookAgain = false;
        await this.#claim();
        await this.#claimTrial();
        await pause(betweenLooksMs);
      }
    } catch (error) {
      this.#lookAgain = false;
      this.#logError(error);
    }
  }

  async #claim(): Promise<void> {
    const held = this.#leases.held().map(({ row }) => this.#jobOf(row));
    const roomFor = (job: AnyJob) => {
      const before = held.filter(
        (other) => poolOf(other) === poolOf(job) && priorityOf(other) <= priorityOf(job),
      );
      return Math.max(0, slots[poolOf(job)] * perSlot - before.length);
    };
    const jobs = [...this.#jobs.values()]
      .filter(({ kind }) => !this.#breaker.blocks(kind))
      .map((job) => ({ ...job, limit: roomFor(job) }));
    const rows = await this.#take(jobs, most);
    const isFull = (job: (typeof jobs)[number]) =>
      rows.filter(({ kind }) => kind === job.kind).length >= job.limit;
    this.#isMore = rows.length === most || jobs.some(isFull);
  }

  /** While emails cannot be sent, one row at a time tries. */
  async #claimTrial(): Promise<void> {
    const breaker = this.#breaker;
    const jobs = [...this.#jobs.values()].filter(({ kind }) => breaker.blocks(kind));
    if (jobs.length === 0 || !breaker.mayTry()) return;
    let taken = 0;
    try {
      taken = (await this.#take(jobs, 1, { isTrial: true, but: breaker.hadTurn() })).length;
    } finally {
      if (taken === 0) breaker.noneLeft();
    }
  }

  async #take(
    some: readonly (AnyJob & { limit?: number })[],
    limit: number,
    { isTrial = false, but = [] as string[] } = {},
  ): Promise<OutboxRow[]> {
    const { db, clock, log } = this.#services;
    const jobs = some.filter((job) => job.limit !== 0);
    if (jobs.length === 0) return [];
    const held = this.#leases.held();
    const leaseEnd = performance.now() + leaseMs;
    const rows = await claimDue(db, {
      owner: this.#owner,
      now: clock.now(),
      limit,
      jobs,
      held: [...held.map(({ row }) => row.id), ...but],
      mayBeAlone: !held.some(({ row }) => goesAlone(row)),
      onInterrupted: ({ id, kind, attempts }) =>
        log.warn({ kind, row: id, attempts: attempts + 1 }, "work whose worker is gone"),
    });
    for (const row of rows) {
      const one = { row, leaseEnd, isTrial, abort: new AbortController() };
      this.#leases.add(one);
      this.#queue.push(one);
    }
    const rank = ({ row, isTrial }: Held) => (isTrial ? -1 : priorityOf(this.#jobOf(row)));
    this.#queue.sort((a, b) => rank(a) - rank(b) || a.row.dueAt.getTime() - b.row.dueAt.getTime());
    this.#startWork();
    return rows;
  }

  #startWork(): void {
    for (const pool of pools) {
      const isHere = ({ row }: Held) => poolOf(this.#jobOf(row)) === pool;
      const isBulk = ({ row }: Held) => this.#jobOf(row).priority === "bulk";
      while (!this.#isStopped) {
        const working = [...this.#working.keys()].filter(isHere);
        const isFullOfBulk = working.filter(isBulk).length >= slots[pool] - notForBulk;
        const next = this.#queue.find((one) => isHere(one) && !(isFullOfBulk && isBulk(one)));
        if (!next || working.length >= slots[pool]) break;
        this.#queue.splice(this.#queue.indexOf(next), 1);
        this.#start(next, pool);
      }
    }
  }

  #start(held: Held, pool: Pool): void {
    const work = this.#work(held)
      .catch((error: unknown) => this.#logError(error))
      .finally(() => {
        this.#leases.forget(held);
        this.#working.delete(held);
        this.#startWork();
        const waiting = this.#queue.filter(({ row }) => poolOf(this.#jobOf(row)) === pool);
        if (goesAlone(held.row) || (this.#isMore && waiting.length < slots[pool])) {
          this.#isMore = false;
          this.wake();
        }
      });
    this.#working.set(held, work);
  }

  async #work(held: Held): Promise<void> {
    const { row, isTrial, abort } = held;
    const breaker = this.#breaker;
    try {
      if (!isTrial && breaker.blocks(row.kind)) return await this.#release([held]);
      // The machine slept, or its clock was set: another worker may have taken it.
      if (!this.#leases.isOurs(held)) return await this.#release([held]);
      const ending = await attempt(this.#services, {
        job: this.#jobOf(row),
        row,
        signal: abort.signal,
        mayBegin: () => this.#leases.isOurs(held),
        isOver: () => this.#isStopped || performance.now() > held.leaseEnd,
        isOwnFault: () => breaker.isOwnFault(row.id),
      });
      await this.#noteMailServer(row, ending);
    } finally {
      if (isTrial) {
        breaker.tried();
        // One that had nothing to send proves nothing: the next one tries at once.
        this.wake();
      }
    }
  }

  async #noteMailServer(row: OutboxRow, ending: Ending): Promise<void> {
    const { db, log, clock } = this.#services;
    const breaker = this.#breaker;
    const wasAway = breaker.since !== null;
    if (ending.mail === "away") {
      breaker.trip(row);
      if (!wasAway) log.error({ words: ending.words }, "the mail server accepts no emails");
      const since = breaker.since ?? clock.now();
      await noteOutage(db.write, { since, lastSeen: clock.now(), words: ending.words });
      this.#isOutageNoted = true;
    } else if (ending.mail === "here") {
      breaker.reset();
      if (wasAway) log.info("the mail server accepts emails again");
      if (this.#isOutageNoted) await endOutage(db.write);
      this.#isOutageNoted = false;
      if (wasAway) this.wake();
    }
  }

  async #release(held: Held[]): Promise<void> {
    const ids = held.map(({ row }) => row.id);
    // What cannot be released is free when its lease ends.
    await releaseJobs(this.#services.db, { owner: this.#owner, ids }).catch((error: unknown) =>
      this.#logError(error),
    );
    // Only now may this worker claim them again: else what it has just claimed was released.
    for (const one of held) this.#leases.forget(one);
  }

  #jobOf({ kind }: OutboxRow): AnyJob {
    return this.#jobs.get(kind) as AnyJob;
  }

  #logError(error: unknown): void {
    this.#services.log.error({ err: error }, "the worker could not read or write the outbox");
  }
}

const within = (ms: number, work: Promise<unknown>) => withTimeout(ms, work, undefined);
