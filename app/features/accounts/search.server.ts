import { isId } from "~/platform/db/ids.ts";
import { fetchedFirst } from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { Services } from "~/platform/http/services.ts";
import type { FoundPerson } from "./rules.ts";

const most = 20;
const columns = ["id", "name", "email"] as const;

/** Matches word prefixes of name or address; ordered by address (spec 7, profiles), at most 20. */
export async function searchPeople({ db }: Services, words: string): Promise<FoundPerson[]> {
  const people = await findPeople(db, words);
  const all = db.read.selectFrom("profiles").select(columns);
  const some = people?.ids ? fetchedFirst(all.where(isAmong(db, "id", people.ids))) : all;
  let query = db.read.selectFrom(some.as("profiles")).selectAll().orderBy("email").limit(most);
  if (people?.filter) query = query.where(people.filter);
  return query.execute();
}

export async function findPerson({ db }: Services, id: string): Promise<FoundPerson | null> {
  if (!isId(id)) return null;
  const row = await db.read
    .selectFrom("profiles")
    .select(columns)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}
