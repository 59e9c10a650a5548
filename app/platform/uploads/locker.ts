import type { Lock, Locker } from "@tus/server";
import { type Lease, UploadLeases } from "./lease.ts";
import type { UploadServices } from "./rows.ts";

const patienceMs = 15_000;

const busy = {
  status_code: 423,
  body: "This upload is still busy with its last piece. Wait a moment, then go on.",
};

type Holder = { letGo: () => unknown; done: Promise<void>; free: () => void };

/** One request at a time writes to an upload; a second one asks the first to end, usually a dead
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
