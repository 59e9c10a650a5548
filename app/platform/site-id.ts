import type { Clock } from "./clock.ts";
import type { Database } from "./db/database.ts";
import { newId } from "./db/ids.ts";

const setting = "site-id";

/** What this database is called among others; it keeps that when it is restored, or moves. */
export async function siteId({
  db,
  clock,
}: {
  db: Pick<Database, "write">;
  clock: Clock;
}): Promise<string> {
  await db.write
    .insertInto("settings")
    .values({ name: setting, value: newId(), createdAt: clock.now() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db.write
    .selectFrom("settings")
    .select("value")
    .where("name", "=", setting)
    .executeTakeFirstOrThrow();
  return value;
}
