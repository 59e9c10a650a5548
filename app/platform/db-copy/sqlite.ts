import { DatabaseSync } from "node:sqlite";
import { canonical, type Digest, Sum } from "./cells.ts";
import { type Cells, type CopiedTable, isCarried, listed, quoted } from "./table.ts";

/** A SQLite file at one moment: neither waits for writers nor sees their changes. */
export type SqliteSnapshot = {
  tables: string[];
  columnsOf(table: string): string[];
  migrations: string[];
  count(table: string): number;
  /** Null for a site that has never run. */
  siteId(): string | null;
  rows(table: CopiedTable): Iterable<Cells>;
  changedSince(): boolean;
  close(): void;
};

export function openSnapshot(file: string): SqliteSnapshot {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const first = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return (statement.all() as unknown as unknown[][]).map(([cell]) => cell);
  };
  const version = () => first("pragma data_version")[0];
  const before = version();
  database.exec("begin");
  const names = first("select name from sqlite_schema where type = 'table'") as string[];
  let ended = false;
  return {
    tables: names.filter(isCarried).sort(),
    columnsOf: (table) =>
      first(`select name from pragma_table_info('${table.replaceAll("'", "''")}')`) as string[],
    migrations: names.includes("kysely_migration")
      ? (first("select name from kysely_migration order by name") as string[])
      : [],
    count: (table) => first(`select count(*) from ${quoted(table)}`)[0] as number,
    siteId: () =>
      (first("select value from settings where name = 'site-id'")[0] as string | undefined) ?? null,
    *rows(table) {
      const columns = table.columns.map(({ name, kind }) =>
        kind === "number" || kind === "boolean" ? `cast(${quoted(name)} as text)` : quoted(name),
      );
      const statement = database.prepare(`select ${columns.join(", ")} from ${quoted(table.name)}`);
      statement.setReturnArrays(true);
      for (const cells of statement.iterate() as unknown as Iterable<Cells>)
        yield canonical(table, cells);
    },
    changedSince() {
      if (!ended) database.exec("commit");
      ended = true;
      return version() !== before;
    },
    close: () => database.close(),
  };
}

export function sqliteDigest(snapshot: SqliteSnapshot, table: CopiedTable): Digest {
  const sum = new Sum();
  for (const cells of snapshot.rows(table)) sum.add(cells);
  return sum.digest();
}

export async function fillSqlite(
  file: string,
  tables: readonly CopiedTable[],
  rowsOf: (table: CopiedTable) => AsyncIterable<Cells[]>,
): Promise<void> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    database.exec("pragma synchronous = off; begin immediate");
    for (const table of tables.toReversed()) database.exec(`delete from ${quoted(table.name)}`);
    for (const table of tables) {
      // Triggers of the earlier tables have counted in it.
      database.exec(`delete from ${quoted(table.name)}`);
      const places = table.columns.map(() => "?").join(", ");
      const insert = database.prepare(
        `insert into ${quoted(table.name)} (${listed(table.columns)}) values (${places})`,
      );
      for await (const rows of rowsOf(table)) for (const cells of rows) insert.run(...cells);
    }
    const broken = database.prepare("pragma foreign_key_check").all();
    if (broken.length > 0)
      throw new Error(`${broken.length} rows point to rows that are not there`);
    database.exec("commit");
  } finally {
    database.close();
  }
}
