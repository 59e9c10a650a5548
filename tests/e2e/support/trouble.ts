import { sql } from "kysely";
import type { Services } from "~/platform/http/services.ts";

type Table = "products" | "modules" | "lessons" | "enrollments" | "drafts";

/**
 * From now on nothing can be written to a table, while all of it can be read: a failure that no
 * rule of the site foresees. @returns what makes it writable again
 */
export async function refuseWrites({ db }: Services, table: Table): Promise<() => Promise<void>> {
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

/** From now on a table cannot be read. @returns what puts it back */
export async function takeAway({ db }: Services, table: string): Promise<() => Promise<void>> {
  const away = `${table}_away`;
  await db.write.schema.alterTable(table).renameTo(away).execute();
  return () => db.write.schema.alterTable(away).renameTo(table).execute();
}
