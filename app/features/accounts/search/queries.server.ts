import { isId } from "~/platform/db/ids.ts";
import { fetchedFirst } from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { Services } from "~/platform/services.ts";
import type { FoundPerson } from "./schema.ts";

const most = 20;
const columns = ["id", "name", "email"] as const;

/**
 * People whose name or address has words that begin so; the first ones of all when nothing is
 * asked. Ordered by address (spec 7, profiles), 20 at most: never everybody.
 */
export async function searchPeople({ db }: Services, words: string): Promise<FoundPerson[]> {
  const people = await findPeople(db, words);
  const all = db.read.selectFrom("profiles").select(columns);
  const some = people?.ids ? fetchedFirst(all.where(isAmong(db, "id", people.ids))) : all;
  let query = db.read.selectFrom(some.as("profiles")).selectAll().orderBy("email").limit(most);
  if (people?.filter) query = query.where(people.filter);
  return query.execute();
}

/** The account with this id, or null. */
export async function findPerson({ db }: Services, id: string): Promise<FoundPerson | null> {
  if (!isId(id)) return null;
  const row = await db.read
    .selectFrom("profiles")
    .select(columns)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}
