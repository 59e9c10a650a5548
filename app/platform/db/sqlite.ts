import { DatabaseSync, type StatementSync } from "node:sqlite";
import { CamelCasePlugin, Kysely, type PluginTransformResultArgs } from "kysely";
import { fromSqlite, toSqlite } from "./columns.ts";
import { OurSqliteDialect } from "./sqlite-driver.ts";
import type { Tables } from "./tables.ts";
import { hasBeginnings } from "./words.ts";

type Row = Record<string, unknown>;
/** What a column is called in code, and what its cells become. */
type Column = { name: string; convert: (value: unknown) => unknown };
type Prepared = { statement: StatementSync; columns: Column[] };

/**
 * What Kysely's SQLite dialect asks of a driver, over the one built into Node. Rows come
 * out as code sees them: names and kinds of the columns are worked out once a statement,
 * not once a row.
 */
function adapter(database: DatabaseSync, nameOf: (column: string) => string) {
  const known = new Map<string, Prepared>();
  function prepare(text: string): Prepared {
    // A write that finds out late that somebody else wrote meanwhile fails at
    // once, whatever the busy timeout: so every transaction takes its lock first.
    const sql = text === "begin" ? "begin immediate" : text;
    let found = known.get(sql);
    if (!found) {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      const names = statement.columns().map((column) => nameOf(column.name));
      found = { statement, columns: names.map((name) => ({ name, convert: fromSqlite(name) })) };
      // A pragma does its work when it is prepared, and none when it is run again.
      if (!sql.startsWith("pragma")) known.set(sql, found);
    }
    return found;
  }
  return {
    close: () => database.close(),
    prepare(sql: string) {
      const { statement, columns } = prepare(sql);
      return {
        reader: columns.length > 0,
        all: (parameters: readonly unknown[]) =>
          rowsOf(statement.all(...parameters.map(toSqlite))).map((cells) => rowOf(columns, cells)),
        run(parameters: readonly unknown[]) {
          const { changes, lastInsertRowid } = statement.run(...parameters.map(toSqlite));
          return { changes, lastInsertRowid };
        },
        *iterate(parameters: readonly unknown[]) {
          for (const cells of rowsOf(statement.iterate(...parameters.map(toSqlite))))
            yield rowOf(columns, cells);
        },
      };
    },
  };
}

/** With `setReturnArrays`, each row is the list of its cells; the types of Node do not say so. */
function rowsOf<Rows extends Iterable<unknown>>(rows: Rows) {
  return rows as unknown as Rows extends unknown[] ? unknown[][] : Iterable<unknown[]>;
}

function rowOf(columns: readonly Column[], cells: readonly unknown[]): Row {
  const row: Row = {};
  for (const [index, { name, convert }] of columns.entries()) {
    const cell = cells[index];
    row[name] = cell === null ? null : convert(cell);
  }
  return row;
}

/** Names in queries become snake_case as usual; those of results the adapter has dealt with. */
class Names extends CamelCasePlugin {
  readonly nameOf = (column: string): string => this.camelCase(column);

  override async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

/**
 * Opens one handle on a SQLite file.
 * The writer keeps every committed transaction through a power cut (WAL,
 * synchronous FULL); the reader sees the last commit and never waits for the writer.
 */
export function openSqlite(file: string, mode: "write" | "read"): Kysely<Tables> {
  const database = new DatabaseSync(file, {
    readOnly: mode === "read",
    enableForeignKeyConstraints: true,
    timeout: 5000,
  });
  if (mode === "write") {
    database.exec("pragma journal_mode = wal");
    database.exec("pragma synchronous = full");
    // What is overwritten or deleted is not left in the file's free places (docs/decisions/038).
    database.exec("pragma secure_delete = on");
  }
  database.exec("pragma cache_size = -16000");
  addFunctions(database);
  const names = new Names();
  return new Kysely<Tables>({
    dialect: new OurSqliteDialect({ database: adapter(database, names.nameOf) }, mode),
    plugins: [names],
  });
}

/** What queries of ours call (people-search.ts, search.ts); nothing in the file itself needs it. */
function addFunctions(database: DatabaseSync) {
  let last = { json: "", beginnings: [] as string[] };
  database.function("has_beginnings", { deterministic: true }, (text, json) => {
    if (json !== last.json)
      last = { json: String(json), beginnings: JSON.parse(String(json)) as string[] };
    return hasBeginnings(String(text), last.beginnings) ? 1 : 0;
  });
  database.function("small_letters", { deterministic: true }, (text) => String(text).toLowerCase());
}
