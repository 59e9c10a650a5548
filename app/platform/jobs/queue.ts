import { setTimeout as pause } from "node:timers/promises";
import type { Services } from "../http/services.ts";
import { type Attempt, attempt, type Ending } from "./attempt.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import {
  claimDue,
  type ExclusiveSlot,
  goesAlone,
  leaseMs,
  type OutboxRow,
  releaseJobs,
} from "./claim.ts";

import type { AnyJob } from "./job.ts";
import { type Held, Leases } from "./leases.ts";

const pollMs = 1000;
/** How long a stop waits for work that ignores its abort signal, and for a silent database. */
const lastLimitMs = 1_000;
/** Rows claimed for each slot, so that none waits for the database. */
const perSlot = 5;

export type QueuePace = {
  renewEvery: number;
  /** How long work in progress may take when the site stops; then it is aborted. */
  stopLimit: number;
};
export const defaultQueuePace: QueuePace = { renewEvery: leaseMs / 4, stopLimit: 5_000 };

type LaneOptions = {
  jobs: readonly AnyJob[];
  slots: number;
  door: CircuitBreaker;
  alone: ExclusiveSlot;
  owner: string;
  pace: QueuePace;
  onEnd(row: OutboxRow, ending: Ending): Promise<void>;
};

/** Does the due work of some jobs, `slots` rows at a time; a slow row occupies its own slot
 * only. Rows are claimed ahead, and their leases are renewed while they are held. */
export class JobQueue {
  readonly #services: Services;
  readonly #options: LaneOptions;
  readonly #byKind: Map<string, AnyJob>;
  readonly #leases: Leases;
  readonly #queue: Held[] = [];
  readonly #working = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #isStopped = false;
  #lookAgain = false;
  /** The last claim was full: there may be more. */
  #isMore = false;

  constructor(services: Services, options: LaneOptions) {
    const { jobs, owner, pace } = options;
    this.#services = services;
    this.#options = options;
    this.#byKind = new Map(jobs.map((job) => [job.kind, job]));
    const onError = (error: unknown) => this.#complain(error);
    this.#leases = new Leases(services, { owner, renewEvery: pace.renewEvery, onError });
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
    await within(lastLimitMs, this.#looking);
    await within(lastLimitMs, this.#drop(this.#queue.splice(0)));
    await within(this.#options.pace.stopLimit, Promise.all(this.#working));
    this.#leases.cutAll();
    await within(lastLimitMs, Promise.all(this.#working));
    this.#leases.close();
  }

  async #look(): Promise<void> {
    try {
      while (!this.#isStopped && this.#lookAgain) {
        this.#lookAgain = false;
        await this.#claim();
      }
    } catch (error) {
      this.#lookAgain = false;
      this.#complain(error);
    }
  }

  async #claim(): Promise<void> {
    const { door, slots } = this.#options;
    const room = slots * perSlot - this.#leases.ids().length;
    const all = [...this.#byKind.keys()];
    const open = all.filter((kind) => !door.isShutFor(kind));
    if (room > 0 && open.length > 0) {
      this.#isMore = (await this.#take(open, room)) === room;
    }
    const shut = all.filter((kind) => door.isShutFor(kind));
    if (shut.length === 0 || !door.mayTry()) return;
    const but = door.hadTurn();
    let taken = 0;
    try {
      taken = await this.#take(shut, 1, { isTrial: true, but });
    } finally {
      if (taken === 0) door.noneLeft(shut);
    }
  }

  async #take(
    kinds: string[],
    limit: number,
    { isTrial = false, but = [] as string[] } = {},
  ): Promise<number> {
    const { alone } = this.#options;
    const leaseEnd = performance.now() + leaseMs;
    const mayBeAlone = alone.take();
    let isAlone = false;
    try {
      const rows = await this.#claimOf(kinds, {
        limit,
        held: [...this.#leases.ids(), ...but],
        mayBeAlone,
      });
      isAlone = rows.some(goesAlone);
      for (const row of rows) {
        const one = { row, leaseEnd, isTrial, cut: new AbortController() };
        this.#leases.add(one);
        if (isTrial) this.#queue.unshift(one);
        else this.#queue.push(one);
      }
      this.#fill();
      return rows.length;
    } finally {
      if (mayBeAlone && !isAlone) alone.leave();
    }
  }

  #claimOf(
    kinds: string[],
    some: { limit: number; held: string[]; mayBeAlone: boolean },
  ): Promise<OutboxRow[]> {
    const { db, clock, log } = this.#services;
    return claimDue(db, {
      ...some,
      owner: this.#options.owner,
      now: clock.now(),
      jobs: this.#options.jobs.filter(({ kind }) => kinds.includes(kind)),
      onInterrupted: ({ id, kind, attempts }) =>
        log.warn({ kind, row: id, attempts: attempts + 1 }, "work whose worker is gone"),
    });
  }

  #fill(): void {
    while (!this.#isStopped && this.#working.size < this.#options.slots) {
      const next = this.#queue.shift();
      if (!next) return;
      const work = this.#work(next)
        .catch((error: unknown) => this.#complain(error))
        .finally(() => {
          this.#leases.forget(next);
          this.#working.delete(work);
          if (goesAlone(next.row)) {
            this.#options.alone.leave();
            this.wake();
          }
          this.#fill();
          if (this.#isMore && this.#queue.length < this.#options.slots) {
            this.#isMore = false;
            this.wake();
          }
        });
      this.#working.add(work);
    }
  }

  async #work(held: Held): Promise<void> {
    const { row, isTrial, cut } = held;
    const { door, onEnd } = this.#options;
    try {
      if (!isTrial && door.isShutFor(row.kind)) return await this.#drop([held]);
      // The machine slept, or its clock was set: another worker may have taken it.
      if (!this.#leases.isOurs(held)) return await this.#drop([held]);
      const job = this.#byKind.get(row.kind) as AnyJob;
      const isOver = () => this.#isStopped || performance.now() > held.leaseEnd;
      const mayBegin = () => this.#leases.isOurs(held);
      const isOwnMatter = () => door.isOwnMatter(row.id);
      const work: Attempt = { job, row, signal: cut.signal, mayBegin, isOver, isOwnMatter };
      const ending = await attempt(this.#services, work);
      await onEnd(row, ending);
    } finally {
      if (isTrial) {
        door.tried();
        // One that had nothing to send proves nothing: the next one tries at once.
        this.wake();
      }
    }
  }

  async #drop(held: Held[]): Promise<void> {
    const ids = held.map(({ row }) => row.id);
    await releaseJobs(this.#services.db, { owner: this.#options.owner, ids }).catch(
      (error: unknown) =>
        // They are free when their leases end.
        this.#complain(error),
    );
    // Only now may this worker claim them again: else what it has just claimed was released.
    for (const one of held) this.#leases.forget(one);
  }

  #complain(error: unknown): void {
    const words = "the worker could not read or write the outbox";
    this.#services.log.error({ err: error }, words);
  }
}

async function within(limitMs: number, work: Promise<unknown> | undefined): Promise<void> {
  const limit = new AbortController();
  const patience = pause(limitMs, undefined, limit).catch(() => {});
  await Promise.race([work, patience]);
  limit.abort();
}
