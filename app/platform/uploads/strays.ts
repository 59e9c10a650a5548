import type { Services } from "../services.ts";
import type { Kept } from "./bytes.ts";

/** So many names go into one statement. */
const portion = 500;

/** What a stray is called in its register. */
function nameOf(kept: Kept): string {
  if (kept.what === "part") return `part ${kept.uploadId}`;
  return `${kept.what} ${kept.bucket} ${kept.what === "file" ? kept.key : kept.multipartId}`;
}

/**
 * Writes down what nothing knows, with the time at which this database first noticed it.
 * @returns those that it noticed before `since`
 */
export async function noticeStrays(
  { db, clock }: Services,
  strays: Kept[],
  since: Date,
): Promise<Kept[]> {
  const old: Kept[] = [];
  for (let from = 0; from < strays.length; from += portion) {
    const some = strays.slice(from, from + portion);
    const names = some.map(nameOf);
    await db.write
      .insertInto("strayFiles")
      .values(names.map((name) => ({ name, noticedAt: clock.now() })))
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const found = await db.write
      .selectFrom("strayFiles")
      .select("name")
      .where("name", "in", names)
      .where("noticedAt", "<", since)
      .execute();
    const overdue = new Set(found.map(({ name }) => name));
    old.push(...some.filter((kept) => overdue.has(nameOf(kept))));
  }
  return old;
}

/** Strikes out what is gone, or is known after all. */
export async function forgetStrays({ db }: Services, gone: Kept[]): Promise<void> {
  for (let from = 0; from < gone.length; from += portion) {
    const names = gone.slice(from, from + portion).map(nameOf);
    await db.write.deleteFrom("strayFiles").where("name", "in", names).execute();
  }
}

/** Strikes out what was noticed before `since`: it went by itself. */
export async function forgetStraysBefore({ db }: Services, since: Date): Promise<void> {
  await db.write.deleteFrom("strayFiles").where("noticedAt", "<", since).execute();
}
