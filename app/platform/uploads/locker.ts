import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { Lock, Locker } from "@tus/server";
import { newId } from "../db/ids.ts";
import type { UploadServices } from "./rows.ts";

const patienceMs = 15_000;
const leaseMs = 10_000;
const renewMs = 2000;
const pollMs = 250;

const busy = {
  status_code: 423,
  body: "This upload is still busy with its last piece. Wait a moment, then go on.",
};

type Holder = { letGo: () => unknown; done: Promise<void>; free: () => void };

/** One request at a time writes to an upload; a second one asks the first to end, usually a lost
 * connection. PostgreSQL allows several processes, so there is a lease as well. */
export class UploadLocker implements Locker {
  readonly #holders = new Map<string, Holder>();
  readonly #leases: UploadLeases | null;

  constructor(services: UploadServices) {
    this.#leases = services.db.engine === "postgres" ? new UploadLeases(services) : null;
  }

  newLock(id: string): Lock {
    let held: Holder | null = null;
    let lease: Lease | null = null;
    const unlock = async () => {
      try {
        await lease?.end();
      } finally {
        if (this.#holders.get(id) === held) this.#holders.delete(id);
        held?.free();
      }
    };
    return {
      unlock,
      lock: async (stop, letGo) => {
        const signal = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
        held = await this.#hold(id, letGo, signal);
        if (!held) throw busy;
        try {
          lease = (await this.#leases?.take(id, () => void letGo(), signal)) ?? null;
          // Without a row there is no lease either, and nothing to write to.
          if (this.#leases && !lease && signal.aborted) throw busy;
        } catch (error) {
          await unlock();
          throw error;
        }
      },
    };
  }

  async #hold(id: string, letGo: () => unknown, signal: AbortSignal): Promise<Holder | null> {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    for (;;) {
      if (signal.aborted) return null;
      const before = this.#holders.get(id);
      if (!before) break;
      before.letGo();
      await Promise.race([before.done, aborted]);
    }
    const { promise: done, resolve: free } = Promise.withResolvers<void>();
    const holder = { letGo, done, free };
    this.#holders.set(id, holder);
    return holder;
  }
}

type Lease = { end(): Promise<void> };

/** An upload's lease among processes that share a database. Its holder renews it, and lets go when
 * another process waits. The lease of a killed process expires. */
class UploadLeases {
  readonly #services: UploadServices;
  readonly #owner = `${hostname()}:${process.pid}:${newId()}`;

  constructor(services: UploadServices) {
    this.#services = services;
  }

  /** Returns null if it is not granted before `signal` aborts. */
  async take(id: string, askedFor: () => void, signal: AbortSignal): Promise<Lease | null> {
    for (;;) {
      if (await this.#claim(id)) return this.#keep(id, askedFor);
      if (signal.aborted || !(await this.#want(id))) return null;
      await setTimeout(pollMs, undefined, { signal }).catch(() => {});
    }
  }

  async #claim(id: string): Promise<boolean> {
    const { db, clock } = this.#services;
    const now = clock.now();
    const { numUpdatedRows } = await db.write
      .updateTable("uploads")
      .set({
        leaseOwner: this.#owner,
        leasedUntilAt: new Date(now.getTime() + leaseMs),
        leaseWantedAt: null,
      })
      .where("id", "=", id)
      .where((or) =>
        or.or([
          or("leaseOwner", "is", null),
          or("leaseOwner", "=", this.#owner),
          or("leasedUntilAt", "<=", now),
        ]),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** @returns false when there is no such upload */
  async #want(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#services.db.write
      .updateTable("uploads")
      .set({ leaseWantedAt: this.#services.clock.now() })
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  #keep(id: string, askedFor: () => void): Lease {
    const { db, clock, log } = this.#services;
    const renew = async () => {
      const row = await db.write
        .updateTable("uploads")
        .set({ leasedUntilAt: new Date(clock.now().getTime() + leaseMs) })
        .where("id", "=", id)
        .where("leaseOwner", "=", this.#owner)
        .returning("leaseWantedAt")
        .executeTakeFirst();
      // Deleted, or taken over because this process was held up: nothing more may be written.
      if (!row || row.leaseWantedAt) askedFor();
    };
    const failed = (err: unknown) => log.warn({ err }, "an upload's lease is not renewed");
    const timer = setInterval(() => void renew().catch(failed), renewMs);
    return {
      end: async () => {
        clearInterval(timer);
        await db.write
          .updateTable("uploads")
          .set({ leaseOwner: null, leasedUntilAt: null, leaseWantedAt: null })
          .where("id", "=", id)
          .where("leaseOwner", "=", this.#owner)
          .execute();
      },
    };
  }
}
