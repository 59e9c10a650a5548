import { v7, validate } from "uuid";
import type { Clock } from "../utils/clock.ts";
import type { Database } from "./database.ts";

/** UUIDv7 as text, so that ids sort by creation time. */
export function newId(): string {
  return v7();
}

/** Whether a text can be an id, so that both engines agree on 'not found'. */
export function isId(text: unknown): text is string {
  return typeof text === "string" && validate(text);
}

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
