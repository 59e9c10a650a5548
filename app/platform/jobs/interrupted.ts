import { type Selectable, type SqlBool, sql } from "kysely";
import type { Query } from "../db/database.ts";
import type { OutboxTable } from "../db/outbox-table.ts";
import { retryAfterMs } from "./backoff.ts";

/**
 * Rows whose worker was killed so often are begun one at a time: whichever of them it is that kills
 * it, the others get through. As migration 011 has it for its index.
 */
const oftenInterrupted = 2;

type Row = Selectable<OutboxTable>;
type Interrupted = Pick<Row, "id" | "attempts" | "interruptions">;

export const goesAlone = ({ interruptions }: Pick<Row, "interruptions">) =>
  interruptions >= oftenInterrupted;

/** For indexes: with a bound number, SQLite could not tell that this one serves. */
export const isAlone = sql<SqlBool>`interruptions >= ${sql.lit(oftenInterrupted)}`;
export const isNotAlone = sql<SqlBool>`interruptions < ${sql.lit(oftenInterrupted)}`;

/**
 * The worker that held this row is gone, and may have been killed by it: that was an attempt. It is
 * tried again after the usual pause, or has failed.
 * @param most attempts
 */
export async function countInterruption(
  trx: Query,
  { id, attempts, interruptions }: Interrupted,
  { now, most }: { now: Date; most: number | undefined },
): Promise<void> {
  const delay = retryAfterMs(attempts + 1, most);
  await trx
    .updateTable("outbox")
    .set({
      attempts: attempts + 1,
      interruptions: interruptions + 1,
      lastError: "the site stopped in the middle of this",
      leaseOwner: null,
      leasedUntilAt: null,
      ...(delay === null
        ? { failedAt: now, failure: interruptions > 0 ? "interrupted" : ("exhausted" as const) }
        : { dueAt: new Date(now.getTime() + delay) }),
    })
    .where("id", "=", id)
    .execute();
}

/** The one place for rows that go alone. */
export class OnePlace {
  #isTaken = false;

  /** Whether it was free, and is taken now. */
  take(): boolean {
    if (this.#isTaken) return false;
    this.#isTaken = true;
    return true;
  }

  leave(): void {
    this.#isTaken = false;
  }
}
