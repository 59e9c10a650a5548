import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** The share picture of each page: its words, and the picture that was drawn last. A change of it is a
 * change of the content, as of a course. */
export async function shareCards(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  await sql
    .raw(
      `create table share_cards (
        page text primary key,
        brand text not null,
        title text not null,
        line text not null,
        drawing text not null,
        wanted text not null,
        name text,
        alt text,
        requested_at ${time} not null,
        drawn_at ${time})`,
    )
    .execute(db);
  const changes = ["insert", "update", "delete"];
  const triggers =
    engine === "sqlite"
      ? changes.map(
          (change) => `create trigger content_version_share_cards_${change}
            after ${change} on share_cards
            begin update content_version set version = version + 1; end`,
        )
      : [
          `create constraint trigger content_version_share_cards
            after ${changes.join(" or ")} on share_cards deferrable initially deferred
            for each row execute function bump_content_version()`,
        ];
  for (const trigger of triggers) await sql.raw(trigger).execute(db);
}
