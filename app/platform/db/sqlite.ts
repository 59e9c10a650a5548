import { DatabaseSync, type StatementSync } from "node:sqlite";
import { CamelCasePlugin, Kysely, type PluginTransformResultArgs } from "kysely";
import { fromSqlite, toSqlite } from "./columns.ts";
import { hasBeginnings } from "./search.ts";
import { OurSqliteDialect } from "./sqlite-driver.ts";
import type { Tables } from "./tables.ts";

type Row = Record<string, unknown>;
type Column = { name: string; convert: (value: unknown) => unknown };
type Prepared = { statement: StatementSync; columns: Column[] };

type Naming = (column: string) => string;

function adapter(database: DatabaseSync, nameOf: Naming, onFailure: (error: unknown) => void) {
  const known = new Map<string, Prepared>();
  function prepare(text: string): Prepared {
    // A transaction that reads before it writes fails at once if another wrote meanwhile, whatever
    // the busy timeout: so every transaction takes its lock first.
    const sql = text === "begin" ? "begin immediate" : text;
    let found = known.get(sql);
    if (!found) {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      const names = statement.columns().map((column) => nameOf(column.name));
      found = { statement, columns: names.map((name) => ({ name, convert: fromSqlite(name) })) };
      // A pragma works when it is prepared, and does nothing when it is run again.
      if (!sql.startsWith("pragma")) known.set(sql, found);
    }
    return found;
  }
  function noting<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      onFailure(error);
      throw error;
    }
  }
  return {
    close: () => database.close(),
    prepare(sql: string) {
      const { statement, columns } = noting(() => prepare(sql));
      return {
        reader: columns.length > 0,
        all: (parameters: readonly unknown[]) =>
          noting(() => rowsOf(statement.all(...parameters.map(toSqlite)))).map((cells) =>
            rowOf(columns, cells),
          ),
        run(parameters: readonly unknown[]) {
          const { changes, lastInsertRowid } = noting(() =>
            statement.run(...parameters.map(toSqlite)),
          );
          return { changes, lastInsertRowid };
        },
        *iterate(parameters: readonly unknown[]) {
          try {
            for (const cells of rowsOf(statement.iterate(...parameters.map(toSqlite))))
              yield rowOf(columns, cells);
          } catch (error) {
            onFailure(error);
            throw error;
          }
        },
      };
    },
  };
}

// With `setReturnArrays` each row is an array; Node's types do not say so.
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

// Names in queries become snake_case; the adapter has converted those of results.
class Names extends CamelCasePlugin {
  readonly nameOf = (column: string): string => this.camelCase(column);

  override async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

/** The writer's commits survive a power cut (WAL, synchronous FULL); readers never wait. */
export function openSqlite(
  file: string,
  mode: "write" | "read",
  onFailure: (error: unknown) => void = () => {},
): Kysely<Tables> {
  const database = new DatabaseSync(file, {
    readOnly: mode === "read",
    enableForeignKeyConstraints: true,
    timeout: 5000,
  });
  if (mode === "write") {
    database.exec("pragma journal_mode = wal");
    database.exec("pragma synchronous = full");
    // Deleted data must not stay in the file's free pages (docs/decisions/015).
    database.exec("pragma secure_delete = on");
  }
  database.exec("pragma cache_size = -16000");
  addFunctions(database);
  const names = new Names();
  const config = {
    database: adapter(database, names.nameOf, onFailure),
    isInTransaction: () => database.isTransaction,
  };
  return new Kysely<Tables>({
    dialect: new OurSqliteDialect(config, mode),
    plugins: [names],
  });
}

function addFunctions(database: DatabaseSync) {
  let last = { json: "", beginnings: [] as string[] };
  database.function("has_beginnings", { deterministic: true }, (text, json) => {
    if (json !== last.json)
      last = { json: String(json), beginnings: JSON.parse(String(json)) as string[] };
    return hasBeginnings(String(text), last.beginnings) ? 1 : 0;
  });
  database.function("small_letters", { deterministic: true }, (text) => String(text).toLowerCase());
}
