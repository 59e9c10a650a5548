import type { Query } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import type { Job } from "./job.ts";

/**
 * Writes work down, on the transaction of its cause: both happen or neither.
 * @returns the row's id
 */
export async function enqueue<Payload>(
  db: Query,
  job: Pick<Job<Payload>, "kind">,
  payload: Payload,
  { now, dueAt = now }: { now: Date; dueAt?: Date },
): Promise<string> {
  const id = newId();
  await db
    .insertInto("outbox")
    .values({
      id,
      kind: job.kind,
      payload: JSON.stringify(payload),
      dueAt,
      attempts: 0,
      createdAt: now,
    })
    .execute();
  return id;
}
