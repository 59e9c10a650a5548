import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** What counts as a sign of a student, and the column that says when. */
const signs = [
  { table: "progress", events: ["insert"], at: "created_at" },
  { table: "lesson_views", events: ["insert"], at: "created_at" },
  { table: "enrollments", events: ["insert"], at: "created_at" },
  { table: "drafts", events: ["insert", "update"], at: "updated_at" },
  { table: "playback_positions", events: ["insert", "update"], at: "updated_at" },
] as const;

/** Students who want to hear from the coach when they are quiet, and when they last were here, to the
 * hour: one who did not ask has no row, and no time is stored. */
export async function quiet(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const statements = [
    `create table care_requests (
      user_id text primary key references profiles on delete cascade,
      created_at ${time} not null,
      active_at ${time} not null,
      written_at ${time})`,
    "create index care_requests_quiet on care_requests (active_at, user_id) where written_at is null",
    ...(engine === "postgres" ? onPostgres() : onSqlite()),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const note = (at: string, hour: (moment: string) => string) => `update care_requests
  set active_at = new.${at}, written_at = null
  where user_id = new.user_id and new.${at} > coalesce(written_at, active_at)
  and (written_at is not null or ${hour("active_at")} < ${hour(`new.${at}`)});`;

function onSqlite(): string[] {
  return signs.flatMap(({ table, events, at }) =>
    events.map(
      (event) => `create trigger care_${table}_${event} after ${event} on ${table}
        begin ${note(at, (moment) => `substr(${moment}, 1, 13)`)} end`,
    ),
  );
}

function onPostgres(): string[] {
  const functions = ["created_at", "updated_at"].map(
    (at) => `create function care_${at}() returns trigger language plpgsql
      set search_path from current as $$
      begin
        ${note(at, (moment) => `date_trunc('hour', ${moment})`)}
        return null;
      end $$`,
  );
  const triggers = signs.map(
    ({
      table,
      events,
      at,
    }) => `create trigger care_${table} after ${events.join(" or ")} on ${table}
      for each row execute function care_${at}()`,
  );
  return [...functions, ...triggers];
}
