import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

/** What the database counts by itself (migration-007-figures.ts); each under a subject or ''. */
export type TallyKind =
  | "signed-up"
  | "enrolled"
  | "students"
  | "opened"
  | "completed"
  | "paid"
  | "refunded"
  | "confirmed"
  | "gone";

export type Tally = { kind: TallyKind; subject: string; count: number; cents: number };

const quarterMs = 15 * 60_000;
const quarterOf = (at: Date) => Math.ceil(at.getTime() / quarterMs);

/** The sums of each period, which begins at `starts[n]` and ends where the next one does, the last
 * at `end`. Moments are to be full quarters of an hour, as midnight is in every time zone.
 * @returns one list a period, without what is zero */
export async function readTallies(
  db: Database,
  kinds: readonly TallyKind[],
  { starts, end }: { starts: readonly Date[]; end: Date },
): Promise<Tally[][]> {
  const quarters = starts.map(quarterOf);
  const later = quarters
    .slice(1)
    .map((quarter, at) => sql`when quarter < ${sql.lit(quarter)} then ${sql.lit(at)}`);
  const period =
    later.length > 0
      ? sql`case ${sql.join(later, sql` `)} else ${sql.lit(later.length)} end`
      : sql`0`;
  const during = sql`kind in (${sql.join(kinds)}) and quarter >= ${quarters[0]} and quarter < ${quarterOf(end)}`;
  const { rows } = await sql<Tally & { period: number }>`
    select kind, subject, ${period} as period, sum(count) as count, sum(cents) as cents
    from ${sums(db, during)} group by kind, subject, period`.execute(db.read);
  const found = rows.map((row) => ({ ...row, count: Number(row.count), cents: Number(row.cents) }));
  return starts.map((_, at) =>
    found.filter(
      ({ period, count, cents }) => Number(period) === at && (count !== 0 || cents !== 0),
    ),
  );
}

export async function readTotals(
  db: Database,
  kind: TallyKind,
  subjects: readonly string[],
): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map();
  const those = sql`kind = ${kind} and quarter = 0 and subject in (${sql.join(subjects)})`;
  const { rows } = await sql<{ subject: string; count: number }>`
    select subject, sum(count) as count from ${sums(db, those)} group by subject`.execute(db.read);
  return new Map(rows.map(({ subject, count }) => [subject, Number(count)]));
}

function sums({ engine }: Database, where: RawBuilder<unknown>) {
  const of = (table: string) =>
    sql`select kind, subject, quarter, count, cents from ${sql.table(table)} where ${where}`;
  const both = sql`${of("tallies")} union all ${of("tally_changes")}`;
  return sql`(${engine === "postgres" ? both : of("tallies")}) as sums`;
}

const atOnce = 20_000;

/** On PostgreSQL, adds the changes to the sums, so that there are few; several processes may. */
export async function sumUpTallies({ engine, write }: Database): Promise<void> {
  if (engine !== "postgres") return;
  const some = sql<{ taken: number }>`
    with taken as (
      delete from tally_changes where id in (
        select id from tally_changes order by id limit ${atOnce} for update skip locked)
      returning kind, subject, quarter, count, cents),
    added as (
      insert into tallies (kind, subject, quarter, count, cents)
      select kind, subject, quarter, sum(count), sum(cents) from taken
      group by kind, quarter, subject order by kind, quarter, subject
      on conflict (kind, quarter, subject) do update
      set count = tallies.count + excluded.count, cents = tallies.cents + excluded.cents)
    select count(*) as taken from taken`;
  for (;;) {
    const { rows } = await some.execute(write);
    if (Number(rows[0]?.taken) < atOnce) return;
  }
}
