import { sql } from "kysely";
import type { Database, Query } from "./database.ts";

/**
 * Makes transactions about the same thing wait for each other: first in each of them, so that it
 * sees all that those before it did. PostgreSQL lets two go side by side, and neither sees what
 * the other is about to write; SQLite has one writer anyway.
 */
export async function lockId({ engine }: Database, trx: Query, id: string): Promise<void> {
  if (engine === "postgres")
    await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(trx);
}

/**
 * Keeps a course from being changed or deleted, with any of its modules, until the transaction
 * ends; several can do so at once. To be asked before what is said of it is read.
 */
export async function keepCourseOf(
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
