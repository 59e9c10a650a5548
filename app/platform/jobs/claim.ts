import type { Selectable } from "kysely";
import type { Database } from "../db/database.ts";
import type { OutboxTable } from "../db/tables.ts";

export type OutboxRow = Selectable<OutboxTable>;

/** How long a claimed row is left to its worker before another may take it, in milliseconds. */
export const leaseMs = 120_000;

type Claim = { owner: string; now: Date; limit: number; kinds: readonly string[] };

/**
 * Takes up to `limit` due rows of some kinds for `owner`. A row that another worker holds is
 * left alone until its lease ends; on PostgreSQL two workers never wait for each other.
 */
export function claimDue(db: Database, { owner, now, limit, kinds }: Claim): Promise<OutboxRow[]> {
  return db.transaction((trx) => {
    const due = trx
      .selectFrom("outbox")
      .select("id")
      .where("finishedAt", "is", null)
      .where("failedAt", "is", null)
      .where("dueAt", "<=", now)
      .where((or) => or.or([or("leasedUntilAt", "is", null), or("leasedUntilAt", "<=", now)]))
      .where("kind", "in", kinds)
      .orderBy("dueAt")
      .orderBy("id")
      .limit(limit);
    return trx
      .updateTable("outbox")
      .set((eb) => ({
        leaseOwner: owner,
        leasedUntilAt: new Date(now.getTime() + leaseMs),
        attempts: eb("attempts", "+", 1),
      }))
      .where("id", "in", db.engine === "postgres" ? due.forUpdate().skipLocked() : due)
      .returningAll()
      .execute();
  });
}

/** The work is done. Its payload is emptied: it may hold a link that signs somebody in. */
export async function finish(db: Database, row: OutboxRow, now: Date): Promise<void> {
  await db.write
    .updateTable("outbox")
    .set({ finishedAt: now, payload: "{}", lastError: null, leaseOwner: null, leasedUntilAt: null })
    .where("id", "=", row.id)
    .where("leaseOwner", "=", row.leaseOwner)
    .execute();
}

/** The work failed: for good (`retryAt` null), or to be tried again at `retryAt`. */
export async function giveBack(
  db: Database,
  row: OutboxRow,
  { now, error, retryAt }: { now: Date; error: string; retryAt: Date | null },
): Promise<void> {
  await db.write
    .updateTable("outbox")
    .set({
      lastError: error,
      leaseOwner: null,
      leasedUntilAt: null,
      ...(retryAt ? { dueAt: retryAt } : { failedAt: now }),
    })
    .where("id", "=", row.id)
    .where("leaseOwner", "=", row.leaseOwner)
    .execute();
}
