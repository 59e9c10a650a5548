import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { keyFile, readKeyFile } from "~/platform/crypto/key-file.ts";
import { newPersonKey, wrapKey } from "~/platform/crypto/seal.ts";
import { sqliteFile } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { type CopiedTable, listed, quoted, tablesInOrder } from "~/platform/db-copy/table.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "./config.ts";

/** What a database may trip over: signs of COPY and of JSON, quotes, pictures, other scripts. */
export const awkward = "a\\b\tc\nd\re'f\"g {h} \\N \\. NULL , 1e5 é 🕯️ 悲しみ \u2028 ﷽ \u0301";

/** Where the rules of a table want a certain value. */
const wanted: Record<string, string | number> = {
  "drafts.kind": "journal",
  "subscribers.status": "confirmed",
  "payments.status": "paid",
  "profiles.role": "student",
  "picture_uses.what": "text",
};

/**
 * A site's SQLite database in which every table of the catalogue has rows, with everything that is
 * hard to carry. What a table is made of comes from the catalogue: a new one is filled as well.
 */
export async function filledSite(tables: readonly CopiedTable[], env: Record<string, string> = {}) {
  const config = await testConfig(undefined, env);
  await closeServices(await openServices(config));
  const file = sqliteFile(config);
  fill(file, tables);
  return { config, file };
}

/** Three rows more in each table. */
export function fill(file: string, tables: readonly CopiedTable[]) {
  const database = new DatabaseSync(file, { timeout: 5000 });
  const made = new Map<string, string[]>();
  const [known] = database.prepare("select value from settings where name = 'journal-key'").all();
  const master = readKeyFile(keyFile(path.dirname(file))).find(({ id }) => id === known?.value);
  database.exec("begin immediate");
  for (const table of tablesInOrder(tables)) {
    if (table.name === "content_version") continue;
    const pointing = new Map(
      database
        .prepare(`select "from", "table" from pragma_foreign_key_list('${table.name}')`)
        .all()
        .map((row) => [String(row.from), String(row.table)]),
    );
    const optional = new Set(
      database
        .prepare(
          `select name from pragma_table_info('${table.name}') where "notnull" = 0 and pk = 0`,
        )
        .all()
        .map((row) => String(row.name)),
    );
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const cells = table.columns.map(({ name, kind }) => {
        const other = pointing.get(name);
        if (n === 2 && optional.has(name)) return null;
        if (other) return made.get(other)?.[n] ?? null;
        if (name === "id") return newId();
        if (kind === "time") return `202${n}-03-0${n + 1}T23:59:59.00${n + 7}Z`;
        // A picture without files: those that a database names must be there.
        if (name === "widths") return "[]";
        if (kind === "json") return JSON.stringify([{ question: awkward, answer: `${n}` }]);
        if (kind === "boolean") return n % 2;
        if (kind === "number") return name === "size" ? 2 ** 53 - 1 - n : n + 1;
        if (name === "master_id") return String(known?.value ?? "none");
        const owner = made.get("profiles")?.[n];
        if (name === "wrapped_key" && master && owner)
          return wrapKey(master, owner, newPersonKey());
        return wanted[`${table.name}.${name}`] ?? `${name} ${newId()} ${awkward}`;
      });
      const places = table.columns.map(() => "?").join(", ");
      database
        .prepare(`insert into ${quoted(table.name)} (${listed(table.columns)}) values (${places})`)
        .run(...cells);
      const id = table.columns.findIndex(({ name }) => name === "id");
      ids.push(String(cells[id] ?? ""));
    }
    made.set(table.name, ids);
  }
  database.exec("commit");
  database.close();
}
