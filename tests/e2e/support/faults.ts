import { sql } from "kysely";
import type { Services } from "~/platform/http/services.ts";

/**
 * From now on nothing can be written to a table, while all of it can be read: a failure that no
 * rule of the site foresees. @returns what makes it writable again
 */
export async function refuseWrites(
  { db }: Services,
  table: "drafts",
): Promise<() => Promise<void>> {
  const names = (["insert", "update", "delete"] as const).map(
    (kind) => [kind, `no_${kind}_of_${table}`] as const,
  );
  for (const [kind, name] of names)
    await sql`create trigger ${sql.id(name)} before ${sql.raw(kind)} on ${sql.table(table)}
      begin select raise(abort, 'out of order'); end`.execute(db.write);
  return async () => {
    for (const [, name] of names) await sql`drop trigger ${sql.id(name)}`.execute(db.write);
  };
}
