import type { Query } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import type { Job } from "./job.ts";

type Writing = {
  /** Another row must not have it. */
  id?: string;
  now: Date;
  dueAt?: Date;
  /** The recipient, for the email log: an account, an address without one, or an address that a
   * signed-in user typed. It is deleted with the account. */
  to?: { userId: string; address?: string } | { address: string };
  /** After this the link of its email has expired: it is not sent any more. */
  worksUntil?: Date | null;
};

/** Writes work down in the transaction of its cause. @returns the row's id */
export async function enqueue<Payload>(
  db: Query,
  job: Pick<Job<Payload>, "kind">,
  payload: Payload,
  writing: Writing,
): Promise<string> {
  const row = rowOf(job, payload, writing);
  await db.insertInto("outbox").values(row).execute();
  return row.id;
}

/** {@link enqueue} for some hundreds of recipients, under ids of the caller's: what has been enqueued
 * under one of them stays as it is. */
export async function enqueueOnce<Payload>(
  db: Query,
  job: Pick<Job<Payload>, "kind">,
  work: readonly { id: string; payload: Payload; dueAt: Date; to: NonNullable<Writing["to"]> }[],
  now: Date,
  batchId?: string,
): Promise<void> {
  if (work.length === 0) return;
  await db
    .insertInto("outbox")
    .values(
      work.map(({ id, payload, dueAt, to }) => ({
        ...rowOf(job, payload, { now, dueAt, to }),
        id,
        ...(batchId && { batchId }),
      })),
    )
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Reschedules work that is being done now because its time has not come. The row has its
 * earlier failed attempts still; this one does not count. Its worker loses it and need not know. */
export async function rescheduleJob<Payload>(
  db: Query,
  id: string,
  { payload, dueAt, now }: { payload: Payload; dueAt: Date; now: Date },
): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ payload: JSON.stringify(payload), dueAt, leaseOwner: null, leasedUntilAt: null })
    .where("id", "=", id)
    .where("finishedAt", "is", null)
    // Another worker may have done so already.
    .where("dueAt", "<=", now)
    .execute();
}

function rowOf<Payload>(
  { kind }: Pick<Job<Payload>, "kind">,
  payload: Payload,
  { id = newId(), now, dueAt = now, to, worksUntil = null }: Writing,
) {
  return {
    id,
    kind,
    payload: JSON.stringify(payload),
    dueAt,
    attempts: 0,
    ...to,
    ...(to?.address && { address: to.address.trim().toLowerCase() }),
    worksUntilAt: worksUntil,
    createdAt: now,
  };
}
