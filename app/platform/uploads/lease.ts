import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { newId } from "../db/ids.ts";
import type { UploadServices } from "./rows.ts";

const leaseMs = 10_000;
const renewMs = 2000;
const pollMs = 250;

export type Lease = { end(): Promise<void> };

/** An upload's lease among processes that share a database. Its holder renews it, and lets go when
 * another process waits. The lease of a killed process expires. */
export class UploadLeases {
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
    const timer = setInterval(
      () =>
        void renew().catch((err: unknown) => log.warn({ err }, "an upload's lease is not renewed")),
      renewMs,
    );
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
