import type { Kysely } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** Until when an administrator has put off setting up a second factor. */
export async function factorReminder(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema.alterTable("profiles").addColumn("factor_reminder_at", kind.time).execute();
}
