import { compiledOnce } from "../db/compiled.ts";
import type { Query } from "../db/database.ts";

export type MailOutage = { since: Date; lastSeen: Date; words: string };

const name = "mail.outage";

/** A machine that stopped meanwhile never reports the end: after this the outage is not shown. */
const staleMs = 15 * 60_000;

/** Records that no email can be sent now; the start of a recorded outage stays. */
export async function noteOutage(db: Query, { since, lastSeen, words }: MailOutage): Promise<void> {
  // An outage that was not seen for that long is over; this is another one.
  if (!(await readOutage(db, lastSeen))) await endOutage(db);
  const value = JSON.stringify({ lastSeen, words });
  await db
    .insertInto("settings")
    .values({ name, value, createdAt: since })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

export async function endOutage(db: Query): Promise<void> {
  await db.deleteFrom("settings").where("name", "=", name).execute();
}

const outageRow = compiledOnce((db: Query, _: object) =>
  db.selectFrom("settings").select(["value", "createdAt"]).where("name", "=", name),
);

export async function readOutage(db: Query, now: Date): Promise<MailOutage | null> {
  const [row] = await outageRow(db, {});
  if (!row) return null;
  const { lastSeen, words } = JSON.parse(row.value) as { lastSeen: string; words: string };
  const outage = { since: row.createdAt, lastSeen: new Date(lastSeen), words };
  return now.getTime() - outage.lastSeen.getTime() < staleMs ? outage : null;
}
