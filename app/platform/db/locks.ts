import { sql } from "kysely";
import type { Database, Query } from "./database.ts";

/** First in each transaction about the same id, to see the earlier ones. SQLite has one writer. */
export async function lockId({ engine }: Database, trx: Query, id: string): Promise<void> {
  if (engine === "postgres")
    await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(trx);
}

/** Locks a course and its modules against change and deletion until the transaction ends; several
 * can hold the lock. Call it before reading what must not change. */
export async function lockCourseOf(
  { engine }: Database,
  trx: Query,
  moduleId: string,
): Promise<void> {
  if (engine === "postgres")
    await trx
      .selectFrom("products")
      .select("id")
      .where("id", "in", (eb) =>
        eb.selectFrom("modules").select("productId").where("id", "=", moduleId),
      )
      .forShare()
      .execute();
}
