import { sql } from "kysely";
import type { Services } from "~/platform/http/services.ts";

/** Counted for limits, kept by migrations, or made by the database itself from other tables. */
const left =
  /^(rate_limits|content_version|people_(words|numbers|search.*)|tall(ies|y_changes)|kysely_.*|sqlite_.*)$/;

/** Written down by the work of each hour, the first of which may still be under way, and by the
 * health check. */
const byItself = /^\{"name":"(journals-wipe|health")/;

/** Every row of every table as text, by table: two that are alike hold the same. */
export async function wholeDatabase({ db }: Pick<Services, "db">) {
  const tables = await db.write.introspection.getTables();
  const names = tables.map(({ name }) => name).filter((name) => !left.test(name));
  const whole: Record<string, string[]> = {};
  for (const name of names.sort()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      db.write,
    );
    // When a session was last used is written down by every request.
    const lines = rows.map(({ lastUsedAt: _, last_used_at: __, ...row }) => JSON.stringify(row));
    whole[name] = lines.filter((line) => !byItself.test(line)).sort();
  }
  return whole;
}
