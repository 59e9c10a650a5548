import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Whether a version of a page shows a picture. Versions stay, and can be brought back. */
export async function pagePictures(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const type =
    engine === "postgres" ? sql`boolean not null default false` : sql`integer not null default 0`;
  await sql`alter table pictures add column in_version ${type}`.execute(db);
}
