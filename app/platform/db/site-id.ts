import type { Clock } from "../utils/clock.ts";
import type { Database } from "./database.ts";
import { newId } from "./ids.ts";

const setting = "site-id";

/** This database's id among others; it survives a restore or a move. */
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
