import { type Kysely, sql } from "kysely";
import type { Engine } from "../columns.ts";

const tables = ["products", "modules", "lessons"];
const changes = ["insert", "update", "delete"];

/**
 * One number that changes with every committed change of the courses, whoever makes it
 * (docs/decisions/008). A migration that rebuilds one of these tables must make its
 * triggers anew.
 */
export async function contentVersion(db: Kysely<unknown>, engine: Engine) {
  await db.schema
    .createTable("content_version")
    .addColumn("id", "integer", (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn("version", "bigint", (c) => c.notNull())
    .execute();
  await sql`insert into content_version (id, version) values (1, 1)`.execute(db);
  await (engine === "postgres" ? onPostgres(db) : onSqlite(db));
}

async function onSqlite(db: Kysely<unknown>) {
  for (const table of tables)
    for (const change of changes)
      await sql
        .raw(
          `create trigger content_version_${table}_${change} after ${change} on ${table}
           begin update content_version set version = version + 1; end`,
        )
        .execute(db);
}

/**
 * At the end of the transaction and once in it: the row is locked last, so that two
 * transactions which change several tables never wait for each other in a circle. The function
 * finds its table whatever the session's search_path is: that of a pg_dump's restore is empty.
 */
async function onPostgres(db: Kysely<unknown>) {
  await sql`
    create function bump_content_version() returns trigger language plpgsql
    set search_path from current as $$
    begin
      if current_setting('blue_dot.content_bumped', true) is distinct from 'yes' then
        update content_version set version = version + 1;
        perform set_config('blue_dot.content_bumped', 'yes', true);
      end if;
      return null;
    end $$`.execute(db);
  for (const table of tables)
    await sql
      .raw(
        `create constraint trigger content_version_${table}
         after ${changes.join(" or ")} on ${table} deferrable initially deferred
         for each row execute function bump_content_version()`,
      )
      .execute(db);
}
