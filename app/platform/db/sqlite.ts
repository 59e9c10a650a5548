import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  CamelCasePlugin,
  Kysely,
  type KyselyPlugin,
  type PluginTransformResultArgs,
  SqliteDialect,
  type UnknownRow,
} from "kysely";
import { fromSqlite, toSqlite } from "./columns.ts";
import type { Tables } from "./tables.ts";

/** What Kysely's SQLite dialect asks of a driver, over the one built into Node. */
function adapter(database: DatabaseSync) {
  const statements = new Map<string, StatementSync>();
  function statement(text: string): StatementSync {
    // A write that finds out late that somebody else wrote meanwhile fails at
    // once, whatever the busy timeout: so every transaction takes its lock first.
    const sql = text === "begin" ? "begin immediate" : text;
    let found = statements.get(sql);
    if (!found) {
      found = database.prepare(sql);
      statements.set(sql, found);
    }
    return found;
  }
  return {
    close: () => database.close(),
    prepare(sql: string) {
      const prepared = statement(sql);
      return {
        reader: prepared.columns().length > 0,
        all: (parameters: readonly unknown[]) => prepared.all(...parameters.map(toSqlite)),
        run(parameters: readonly unknown[]) {
          const { changes, lastInsertRowid } = prepared.run(...parameters.map(toSqlite));
          return { changes, lastInsertRowid };
        },
        iterate: (parameters: readonly unknown[]) =>
          prepared.iterate(...parameters.map(toSqlite)) as IterableIterator<unknown>,
      };
    },
  };
}

/** Kysely's adapter says that SQLite cannot change its schema in a transaction; it can. */
class Dialect extends SqliteDialect {
  override createAdapter() {
    return Object.defineProperty(super.createAdapter(), "supportsTransactionalDdl", {
      value: true,
    });
  }
}

const valuesPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }: PluginTransformResultArgs) {
    return { ...result, rows: result.rows.map(plainRow) };
  },
};

function plainRow(row: UnknownRow): UnknownRow {
  const plain: UnknownRow = {};
  for (const column of Object.keys(row)) plain[column] = fromSqlite(column, row[column]);
  return plain;
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
  }
  database.exec("pragma cache_size = -16000");
  return new Kysely<Tables>({
    dialect: new Dialect({ database: adapter(database) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), valuesPlugin],
  });
}
