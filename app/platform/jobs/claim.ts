import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { type Database, isAny, type Query } from "../db/database.ts";
import { lockId } from "../db/locks.ts";
import type { Tables, WorkFailure } from "../db/tables.ts";
import { recordSent, type SentEmailNote } from "../email/sent.ts";
import { type AnyJob, priorityOf } from "./job.ts";

// Failed attempts (about three days) until a row has failed, unless its job says otherwise.
const maxAttempts = 14;

/** Backoff after the `attempts`-th failure: 10 s, 30 s, 90 s … at most 12 hours; null at the end. */
export function retryAfterMs(attempts: number, most = maxAttempts): number | null {
  if (attempts >= most) return null;
  return Math.min(10_000 * 3 ** (attempts - 1), 12 * 3600_000);
}

export type OutboxRow = Selectable<Tables["outbox"]>;

/** A claimed row stays with its worker this long. */
export const leaseMs = 30_000;

/** A lease that ends later was given by a clock that was wrong. Of the version before this one,
 * leases end within two minutes. */
const farthestMs = 240_000;

type Claimable = Pick<AnyJob, "kind" | "maxAttempts" | "priority" | "single"> & { limit?: number };

type Claim = {
  owner: string;
  now: Date;
  limit: number;
  /** A job's own `limit` is for its kind. */
  jobs: readonly Claimable[];
  /** Rows that this worker holds: should its clock jump, they are not taken twice. */
  held?: readonly string[];
  mayBeAlone?: boolean;
  onInterrupted?: (row: Pick<OutboxRow, "id" | "kind" | "attempts">) => void;
};

/** Claims up to `limit` due rows of some kinds for `owner`, by priority and due time. Rows of other
 * workers are skipped until their lease ends; on PostgreSQL two workers never wait for each other.
 * An expired lease counts as an attempt, since its worker may have died of it; this worker's own do
 * not, for it lives. */
export function claimDue(db: Database, claim: Claim): Promise<OutboxRow[]> {
  const { owner, now, limit, jobs, onInterrupted } = claim;
  return db.transaction(async (trx) => {
    const [first, ...others] = [
      ...jobs.map((job) => dueOf(db, trx, claim, job)),
      ...(claim.mayBeAlone ? [dueOf(db, trx, claim)] : []),
    ];
    if (jobs.length === 0 || !first) return [];
    const all = others.reduce((some, other) => some.unionAll(other), first);
    const due = await trx
      .selectFrom(all.as("due"))
      .selectAll()
      .orderBy("priority")
      .orderBy("dueAt")
      .orderBy("id")
      .limit(limit)
      .execute();
    const rows = await inTurn(db, trx, claim, due);
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

// The first due rows of a kind, by the index that begins with the kind: a backlog of one kind does
// not slow others. Without a job, the first row of any kind that starts alone.
function dueOf(db: Database, trx: Query, claim: Claim, job?: Claimable) {
  const { now, held = [], jobs, limit } = claim;
  const due = trx
    .selectFrom("outbox")
    .select(columns)
    .where("finishedAt", "is", null)
    .where("failedAt", "is", null)
    .where("dueAt", "<=", now)
    .where((or) => or.or([or("leasedUntilAt", "is", null), isOver(or, now)]))
    .$if(held.length > 0, (some) => some.where("id", "not in", held))
    .orderBy("dueAt")
    .orderBy("id");
  const some = job
    ? due
        .where("kind", "=", job.kind)
        .where(isNotAlone)
        .limit(job.limit ?? limit)
    : due
        .where(
          "kind",
          "in",
          jobs.map(({ kind }) => kind),
        )
        .where(isAlone)
        .limit(1);
  const mine = db.engine === "postgres" ? some.forUpdate().skipLocked() : some;
  const priority = sql.lit(job ? priorityOf(job) : 0).as("priority");
  return trx.selectFrom(mine.as("due")).select(columns).select(priority);
}

/** Of each kind that runs one at a time, the first row, and none while another one is leased. */
async function inTurn(db: Database, trx: Query, { jobs, now }: Claim, rows: Due[]) {
  const turns = new Map<string, Due | undefined>();
  for (const { kind } of jobs.filter(({ single }) => single)) {
    const first = rows.find((row) => row.kind === kind);
    if (!first) continue;
    await lockId(db, trx, `work ${kind}`);
    const leased = trx
      .selectFrom("outbox")
      .where("kind", "=", kind)
      .where("finishedAt", "is", null)
      .where("failedAt", "is", null)
      .where((eb) => eb.and([eb("leasedUntilAt", "is not", null), eb.not(isOver(eb, now))]));
    turns.set(kind, (await isAny(leased)) ? undefined : first);
  }
  return rows.filter((row) => !turns.has(row.kind) || turns.get(row.kind) === row);
}

// Rows whose worker was killed this often start one at a time, so that the others get through
// whichever of them kills it. The index outbox_alone has the same number.
const oftenInterrupted = 2;

export const goesAlone = ({ interruptions }: Pick<OutboxRow, "interruptions">) =>
  interruptions >= oftenInterrupted;

// For indexes: with a bound number, SQLite could not tell that this one serves.
const isAlone = sql<SqlBool>`interruptions >= ${sql.lit(oftenInterrupted)}`;
const isNotAlone = sql<SqlBool>`interruptions < ${sql.lit(oftenInterrupted)}`;

// The worker of this row is gone and may have been killed by it: that counts as an attempt.
async function countInterruption(
  trx: Query,
  { id, attempts, interruptions }: Due,
  { now, most }: { now: Date; most: number | undefined },
): Promise<void> {
  const delay = retryAfterMs(attempts + 1, most);
  // Most are interrupted by an ordinary crash, and have waited for a lease already.
  const pause = interruptions === 0 ? 0 : (delay ?? 0);
  await trx
    .updateTable("outbox")
    .set({
      ...{ attempts: attempts + 1, interruptions: interruptions + 1 },
      lastError: "the site stopped in the middle of this",
      ...released,
      ...(delay === null
        ? { failedAt: now, failure: interruptions > 0 ? "interrupted" : ("exhausted" as const) }
        : { dueAt: new Date(now.getTime() + pause) }),
    })
    .where("id", "=", id)
    .execute();
}

const released = { leaseOwner: null, leasedUntilAt: null };
const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs);

function isOver(is: ExpressionBuilder<Tables, "outbox">, now: Date) {
  const farthest = new Date(now.getTime() + farthestMs);
  return is.or([is("leasedUntilAt", "<=", now), is("leasedUntilAt", ">", farthest)]);
}

type Held = { owner: string; ids: readonly string[] };

/** @returns the rows that are still `owner`'s */
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

/** Releases rows that were not tried to their end; attempts are counted as they end. */
export async function releaseJobs(db: Database, { owner, ids }: Held): Promise<void> {
  if (ids.length === 0) return;
  await db.write
    .updateTable("outbox")
    .set(released)
    .where("id", "in", ids)
    .where("leaseOwner", "=", owner)
    .execute();
}

type Finished = {
  now: Date;
  emails: readonly SentEmailNote[];
  onRecord: boolean;
  /** The address is deleted from the row as well. */
  forgetsWhom: boolean;
};

/** Empties the payload, which may hold a link that signs in. The emails that were sent are
 * recorded in the same transaction: an email is either sent again or recorded. */
export async function finish(
  db: Database,
  row: OutboxRow,
  { now, emails, onRecord, forgetsWhom }: Finished,
): Promise<void> {
  const done = (handle: Query) =>
    handle
      .updateTable("outbox")
      .set((eb) => ({
        attempts: eb("attempts", "+", 1),
        finishedAt: now,
        payload: "{}",
        lastError: null,
        subject: emails[0]?.subject ?? null,
        ...(forgetsWhom && { address: null }),
        ...released,
      }))
      .where("id", "=", row.id)
      .where("leaseOwner", "=", row.leaseOwner)
      .execute();
  if (emails.length === 0 || !onRecord) return void (await done(db.write));
  await db.transaction(async (trx) => {
    // An address typed by a signed-in user may be another user's: it counts alone.
    const userId = row.address === null ? row.userId : null;
    // First the account, then the row, as the deletion of an account locks them.
    await recordSent(trx, { kind: row.kind, userId }, emails);
    await done(trx);
  });
}

type Failed = { now: Date; error: string } & ({ retryAt: Date } | { failure: WorkFailure });

export async function releaseJob(
  db: Database,
  row: OutboxRow,
  { now, error, ...end }: Failed,
): Promise<void> {
  await db.write
    .updateTable("outbox")
    .set((eb) => ({
      attempts: eb("attempts", "+", 1),
      lastError: error,
      ...released,
      ...("retryAt" in end ? { dueAt: end.retryAt } : { failedAt: now, failure: end.failure }),
      // An email with an expired link is useless.
      ...("failure" in end && end.failure === "expired" && { payload: "{}" }),
    }))
    .where("id", "=", row.id)
    .where("leaseOwner", "=", row.leaseOwner)
    .execute();
}
