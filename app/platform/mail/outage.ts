import type { Query } from "../db/database.ts";

/** Since when no letter can be sent, when that was last seen, and what the server says. */
export type MailOutage = { since: Date; lastSeen: Date; words: string };

const name = "mail.outage";

/** Of a machine that stopped meanwhile, nobody says that it is over: then it is not shown for ever. */
const staleMs = 15 * 60_000;

/** Writes down that no letter can be sent just now; where that is known, since when stays. */
export async function noteOutage(db: Query, { since, lastSeen, words }: MailOutage): Promise<void> {
  // One that nobody saw for so long is over; this is another.
  if (!(await readOutage(db, lastSeen))) await endOutage(db);
  const value = JSON.stringify({ lastSeen, words });
  await db
    .insertInto("settings")
    .values({ name, value, createdAt: since })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Letters go out again. */
export async function endOutage(db: Query): Promise<void> {
  await db.deleteFrom("settings").where("name", "=", name).execute();
}

/** The outage that lasts, if there is one. */
export async function readOutage(db: Query, now: Date): Promise<MailOutage | null> {
  const row = await db
    .selectFrom("settings")
    .select(["value", "createdAt"])
    .where("name", "=", name)
    .executeTakeFirst();
  if (!row) return null;
  const { lastSeen, words } = JSON.parse(row.value) as { lastSeen: string; words: string };
  const outage = { since: row.createdAt, lastSeen: new Date(lastSeen), words };
  return now.getTime() - outage.lastSeen.getTime() < staleMs ? outage : null;
}
