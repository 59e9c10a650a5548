import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** How often public pages were opened: by page, day and the host that linked to it. Nothing of who. */
export async function visits(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  const statements = [
    `create table visits (
      day text not null,
      page text not null,
      host text not null,
      arrivals integer not null,
      openings integer not null,
      primary key (day, page, host))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
