import type { Services } from "../http/services.ts";
import { leaseMs, type OutboxRow, renewLeases } from "./claim.ts";

const watchMs = 1000;
const leastLeaseMs = leaseMs / 3;
/** An email is aborted this long before its lease ends: other machines' clocks may be ahead. */
const lastLeaseMs = 8_000;

export type Held = {
  row: OutboxRow;
  /** By the monotonic clock. */
  leaseEnd: number;
  isTrial: boolean;
  abort: AbortController;
};

type Options = { owner: string; renewEvery: number; onError(error: unknown): void };

/** A worker's rows: leases are renewed; what another worker may have by now is aborted. */
export class Leases {
  readonly #held = new Map<string, Held>();
  readonly #services: Services;
  readonly #options: Options;
  readonly #timers: NodeJS.Timeout[];

  constructor(services: Services, options: Options) {
    this.#services = services;
    this.#options = options;
    this.#timers = [
      setInterval(() => void this.#renew(), options.renewEvery),
      setInterval(() => this.#abortLate(), watchMs),
    ];
  }

  add(held: Held): void {
    this.#held.set(held.row.id, held);
  }

  forget({ row }: Held): void {
    this.#held.delete(row.id);
  }

  held(): Held[] {
    return [...this.#held.values()];
  }

  /** Whether the lease lasts long enough to start. */
  isOurs(held: Held): boolean {
    const { row, leaseEnd, abort } = held;
    if (abort.signal.aborted) return false;
    const until = row.leasedUntilAt?.getTime() ?? 0;
    // The machine may have slept, or its clock was set.
    const left = Math.min(
      leaseEnd - performance.now(),
      until - this.#services.clock.now().getTime(),
    );
    return left > leastLeaseMs;
  }

  abortAll(): void {
    for (const { abort } of this.#held.values()) abort.abort();
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** While the database is silent nothing is renewed. */
  #abortLate(): void {
    for (const { leaseEnd, abort } of this.#held.values())
      if (leaseEnd - performance.now() < lastLeaseMs) abort.abort();
  }

  async #renew(): Promise<void> {
    const ids = [...this.#held.keys()];
    const { db, clock } = this.#services;
    const now = clock.now();
    const leaseEnd = performance.now() + leaseMs;
    try {
      const ours = new Set(await renewLeases(db, { owner: this.#options.owner, ids, now }));
      for (const id of ids) {
        const held = this.#held.get(id);
        if (!held) continue;
        if (ours.has(id)) {
          held.leaseEnd = leaseEnd;
          held.row.leasedUntilAt = new Date(now.getTime() + leaseMs);
        } else held.abort.abort();
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
