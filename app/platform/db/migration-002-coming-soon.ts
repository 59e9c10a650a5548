import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Whether a course is announced and not sold yet. The start fills it once for databases from
 * before (`adoptComingSoon`): the settings that said so are not known here. */
export async function comingSoon(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const type =
    engine === "postgres" ? sql`boolean not null default false` : sql`integer not null default 0`;
  await sql`alter table products add column coming_soon ${type}`.execute(db);
}
