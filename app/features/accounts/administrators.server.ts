import type { Query } from "~/platform/db/database.ts";
import type { Job } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";

const activeAdmins = (db: Query) =>
  db.selectFrom("profiles").where("role", "=", "admin").where("suspendedAt", "is", null);

/** Whom an email to an administrator goes to; null for one who is none any more or suspended. */
export async function findActiveAdmin(db: Query, userId: string) {
  const admin = await activeAdmins(db)
    .select(["name", "email as address", "timeZone"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return admin ?? null;
}

/** Enqueues an email to every administrator, in the transaction of its cause: wake the worker
 * afterwards. Whether they want it is read when it is sent. */
export async function enqueueToAdmins<Payload>(
  trx: Query,
  job: Pick<Job<Payload & { userId: string }>, "kind">,
  payload: Payload,
  now: Date,
): Promise<void> {
  const admins = await activeAdmins(trx).select("id").orderBy("id").execute();
  for (const { id: userId } of admins)
    await enqueue(trx, job, { ...payload, userId }, { now, to: { userId } });
}
