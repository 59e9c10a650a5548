import type { Selectable } from "kysely";
import type { Database, Query } from "../db/database.ts";
import type { OutboxTable } from "../db/tables.ts";
import { recordSent, type SentLetter } from "../mail/sent.ts";

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

/**
 * The work is done. Its payload is emptied: it may hold a link that signs somebody in. The letters
 * that went out with it are written down in the same transaction: a letter is sent again, or it
 * is recorded, and never one because of the other.
 */
export async function finish(
  db: Database,
  row: OutboxRow,
  { now, letters }: { now: Date; letters: readonly SentLetter[] },
): Promise<void> {
  const done = (handle: Query) =>
    handle
      .updateTable("outbox")
      .set({
        finishedAt: now,
        payload: "{}",
        lastError: null,
        leaseOwner: null,
        leasedUntilAt: null,
      })
      .where("id", "=", row.id)
      .where("leaseOwner", "=", row.leaseOwner)
      .execute();
  if (letters.length === 0) return void (await done(db.write));
  await db.transaction(async (trx) => {
    await done(trx);
    await recordSent(trx, row.kind, letters);
  });
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
