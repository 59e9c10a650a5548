import type { ExpressionBuilder, Selectable } from "kysely";
import type { Database, Query } from "../db/database.ts";
import type { OutboxTable, WorkFailure } from "../db/outbox-table.ts";
import type { Tables } from "../db/tables.ts";
import { recordSent, type SentLetter } from "../mail/sent.ts";
import { countInterruption, isAlone, isNotAlone } from "./interrupted.ts";
import type { AnyJob } from "./job.ts";

export type OutboxRow = Selectable<OutboxTable>;

/** How long a claimed row is left to its worker before another may take it, in milliseconds. */
export const leaseMs = 120_000;

type Claim = {
  owner: string;
  now: Date;
  limit: number;
  jobs: readonly Pick<AnyJob, "kind" | "maxAttempts">[];
  /** Rows that this worker holds: should its clock jump, they are not taken twice. */
  held?: readonly string[];
  /** Whether a row that goes alone may be among them (interrupted.ts). */
  mayBeAlone?: boolean;
  onInterrupted?: (row: Pick<OutboxRow, "id" | "kind" | "attempts">) => void;
};

/**
 * Takes up to `limit` due rows of some kinds for `owner`. A row that another worker holds is
 * left alone until its lease ends; on PostgreSQL two workers never wait for each other. What a
 * lease has ended of is not taken: its worker, which may have died of it, has had its attempt.
 * Only this worker's own is, for it lives.
 */
export function claimDue(db: Database, claim: Claim): Promise<OutboxRow[]> {
  const { owner, now, limit, jobs, onInterrupted } = claim;
  return db.transaction(async (trx) => {
    const [first, ...others] = [
      ...jobs.map(({ kind }) => dueOf(db, trx, claim, kind)),
      ...(claim.mayBeAlone ? [oneAlone(db, trx, claim)] : []),
    ];
    if (jobs.length === 0 || !first) return [];
    const all = others.reduce((some, other) => some.unionAll(other), first);
    const rows = await trx
      .selectFrom(all.as("due"))
      .selectAll()
      .orderBy("dueAt")
      .orderBy("id")
      .limit(limit)
      .execute();
    const isInterrupted = (row: Due) => row.leaseOwner !== null && row.leaseOwner !== owner;
    for (const row of rows.filter(isInterrupted)) {
      const most = jobs.find(({ kind }) => kind === row.kind)?.maxAttempts;
      await countInterruption(trx, row, { now, most });
      onInterrupted?.(row);
    }
    const ids = rows.filter((row) => !isInterrupted(row)).map(({ id }) => id);
    if (ids.length === 0) return [];
    return trx
      .updateTable("outbox")
      .set({ leaseOwner: owner, leasedUntilAt: leaseEnd(now) })
      .where("id", "in", ids)
      .returningAll()
      .execute();
  });
}

const columns = ["id", "kind", "dueAt", "attempts", "interruptions", "leaseOwner"] as const;
type Due = Pick<OutboxRow, (typeof columns)[number]>;

/** Each kind's first due rows, by the index that begins with the kind: however much waits of others. */
function dueOf(db: Database, trx: Query, { now, limit, held }: Claim, kind: string) {
  const due = free(trx, { now, held })
    .where("kind", "=", kind)
    .where(isNotAlone)
    .orderBy("dueAt")
    .orderBy("id")
    .limit(limit);
  const mine = db.engine === "postgres" ? due.forUpdate().skipLocked() : due;
  return trx.selectFrom(mine.as("due")).select(columns);
}

/** The first due one of those that go alone, by an index of their own. */
function oneAlone(db: Database, trx: Query, { now, held, jobs }: Claim) {
  const kinds = jobs.map(({ kind }) => kind);
  const due = free(trx, { now, held })
    .where("kind", "in", kinds)
    .where(isAlone)
    .orderBy("dueAt")
    .orderBy("id")
    .limit(1);
  const mine = db.engine === "postgres" ? due.forUpdate().skipLocked() : due;
  return trx.selectFrom(mine.as("due")).select(columns);
}

/** What is due and held by nobody. */
function free(trx: Query, { now, held = [] }: Pick<Claim, "now" | "held">) {
  const due = trx
    .selectFrom("outbox")
    .select(columns)
    .where("finishedAt", "is", null)
    .where("failedAt", "is", null)
    .where("dueAt", "<=", now)
    .where((or) => or.or([or("leasedUntilAt", "is", null), isOver(or, now)]));
  return held.length > 0 ? due.where("id", "not in", held) : due;
}

const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs);

/** A lease that lasts longer than any was given by a clock that was wrong. */
function isOver(is: ExpressionBuilder<Tables, "outbox">, now: Date) {
  const farthest = new Date(now.getTime() + 2 * leaseMs);
  return is.or([is("leasedUntilAt", "<=", now), is("leasedUntilAt", ">", farthest)]);
}

type Held = { owner: string; ids: readonly string[] };

/** Prolongs leases. @returns the rows that are still `owner`'s */
export async function renewLeases(
  db: Database,
  { owner, ids, now }: Held & { now: Date },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.write
    .updateTable("outbox")
    .set({ leasedUntilAt: leaseEnd(now) })
    .where("id", "in", ids)
    .where("leaseOwner", "=", owner)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Gives rows back that were not tried, or not to their end: an attempt counts as it ends. */
export async function handBack(db: Database, { owner, ids }: Held): Promise<void> {
  if (ids.length === 0) return;
  await db.write
    .updateTable("outbox")
    .set({ leaseOwner: null, leasedUntilAt: null })
    .where("id", "in", ids)
    .where("leaseOwner", "=", owner)
    .execute();
}

type Finished = {
  now: Date;
  letters: readonly SentLetter[];
  /** Whether the letters are kept with their receivers' accounts. */
  onRecord: boolean;
  /** Nor does the row keep the address. */
  forgetsWhom: boolean;
};

/**
 * The work is done. Its payload is emptied: it may hold a link that signs somebody in. The letters
 * that went out with it are written down in the same transaction: a letter is sent again, or it
 * is recorded, and never one because of the other.
 */
export async function finish(
  db: Database,
  row: OutboxRow,
  { now, letters, onRecord, forgetsWhom }: Finished,
): Promise<void> {
  const done = (handle: Query) =>
    handle
      .updateTable("outbox")
      .set((eb) => ({
        attempts: eb("attempts", "+", 1),
        finishedAt: now,
        payload: "{}",
        lastError: null,
        subject: letters[0]?.subject ?? null,
        ...(forgetsWhom && { address: null }),
        leaseOwner: null,
        leasedUntilAt: null,
      }))
      .where("id", "=", row.id)
      .where("leaseOwner", "=", row.leaseOwner)
      .execute();
  if (letters.length === 0 || !onRecord) return void (await done(db.write));
  await db.transaction(async (trx) => {
    await done(trx);
    // Typed by somebody with an account, an address may be anybody's: it counts alone.
    const userId = row.address === null ? row.userId : null;
    await recordSent(trx, { kind: row.kind, userId }, letters);
  });
}

/** Either for good, and why; or it is to be tried again at `retryAt`. */
type Failed = { now: Date; error: string } & ({ retryAt: Date } | { failure: WorkFailure });

/** The work failed: for good, or for now. */
export async function giveBack(
  db: Database,
  row: OutboxRow,
  { now, error, ...end }: Failed,
): Promise<void> {
  await db.write
    .updateTable("outbox")
    .set((eb) => ({
      attempts: eb("attempts", "+", 1),
      lastError: error,
      leaseOwner: null,
      leasedUntilAt: null,
      ...("retryAt" in end ? { dueAt: end.retryAt } : { failedAt: now, failure: end.failure }),
      // A letter with a dead link is of no use to anybody any more.
      ...("failure" in end && end.failure === "expired" && { payload: "{}" }),
    }))
    .where("id", "=", row.id)
    .where("leaseOwner", "=", row.leaseOwner)
    .execute();
}
