import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Rows of one table that are counted: each under a kind and a subject, at a moment. */
export type TallySource = {
  name: string;
  table: string;
  kind: string;
  columns: readonly string[];
  /** SQL of the row, whose columns are written as `row.column`. */
  counts?: string;
  subject?: string;
  /** Left out: counted without a time. */
  at?: string;
  cents?: string;
};

/** Sums by quarter of an hour, which the weeks of every time zone are made of. Why PostgreSQL has a
 * table of changes: docs/decisions/024. */
export async function createTallies(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const big = engine === "postgres" ? "bigint" : "integer";
  await run(
    db,
    `create table tallies (
       kind text not null,
       subject text not null,
       quarter integer not null,
       count ${big} not null,
       cents ${big} not null,
       primary key (kind, quarter, subject))`,
  );
  if (engine === "postgres")
    await run(
      db,
      `create table tally_changes (
         id bigint generated always as identity primary key,
         kind text not null,
         subject text not null,
         quarter integer not null,
         count integer not null,
         cents bigint not null)`,
    );
}

export async function tally(
  db: Kysely<unknown>,
  engine: Engine,
  source: TallySource,
): Promise<void> {
  const { table, kind } = source;
  const { counts, subject, quarter, cents } = sqlOf(source, engine, table);
  await run(
    db,
    `insert into tallies (kind, subject, quarter, count, cents)
     select '${kind}', ${subject}, ${quarter}, count(*), coalesce(sum(${cents}), 0)
     from ${table} where ${counts} group by 2, 3
     on conflict (kind, quarter, subject) do update
     set count = tallies.count + excluded.count, cents = tallies.cents + excluded.cents`,
  );
  await (engine === "postgres" ? onPostgres(db, source) : onSqlite(db, source));
}

async function onSqlite(db: Kysely<unknown>, source: TallySource): Promise<void> {
  const add = (row: "old" | "new", by: 1 | -1) => {
    const { counts, subject, quarter, cents } = sqlOf(source, "sqlite", row);
    return `insert into tallies (kind, subject, quarter, count, cents)
      select '${source.kind}', ${subject}, ${quarter}, ${by}, ${by} * (${cents}) where ${counts}
      on conflict (kind, quarter, subject) do update
      set count = count + excluded.count, cents = cents + excluded.cents;`;
  };
  const bodies = {
    insert: add("new", 1),
    delete: add("old", -1),
    [`update of ${source.columns.join(", ")}`]: add("old", -1) + add("new", 1),
  };
  for (const [event, body] of Object.entries(bodies))
    await run(
      db,
      `create trigger tally_${source.name}_${event.split(" ")[0]} after ${event} on ${source.table}
       begin ${body} end`,
    );
}

async function onPostgres(db: Kysely<unknown>, source: TallySource): Promise<void> {
  const { name, table, kind, columns } = source;
  const add = (row: "old" | "new", by: 1 | -1) => {
    const { counts, subject, quarter, cents } = sqlOf(source, "postgres", row);
    return `if ${counts} then
        insert into tally_changes (kind, subject, quarter, count, cents)
        values ('${kind}', ${subject}, ${quarter}, ${by}, ${by} * (${cents}));
      end if;`;
  };
  await run(
    db,
    `create function tally_${name}() returns trigger language plpgsql
     set search_path from current as $$
     begin
       if tg_op <> 'INSERT' then ${add("old", -1)} end if;
       if tg_op <> 'DELETE' then ${add("new", 1)} end if;
       return null;
     end $$`,
  );
  await run(
    db,
    `create trigger tally_${name} after insert or delete or update of ${columns.join(", ")}
     on ${table} for each row execute function tally_${name}()`,
  );
}

function sqlOf(source: TallySource, engine: Engine, row: string) {
  const { counts = "true", subject = "''", at, cents = "0" } = source;
  const of = (text: string) => text.replaceAll("row.", `${row}.`);
  const seconds = engine === "postgres" ? `extract(epoch from ${at})` : `unixepoch(${at})`;
  const quarter = engine === "postgres" ? `floor(${seconds} / 900)::integer` : `${seconds} / 900`;
  return {
    counts: of(counts),
    subject: of(subject),
    // A time that cannot be read must not keep a row from being written.
    quarter: at ? of(`coalesce(${quarter}, 0)`) : "0",
    cents: of(cents),
  };
}

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);
