import {
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";

/**
 * For a handle that only reads: a query on it runs from start to end in one step, so
 * nobody has to wait for a lock, and nobody is woken in vain when one is given back.
 */
class ReadingDriver extends SqliteDriver {
  #connection: DatabaseConnection | undefined;

  override async init(): Promise<void> {
    await super.init();
    this.#connection = await super.acquireConnection();
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#connection) throw new Error("the database is not open");
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {}
}

/** Kysely's SQLite for one handle of ours. */
export class OurSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #mode: "read" | "write";

  constructor(config: SqliteDialectConfig, mode: "read" | "write") {
    super(config);
    this.#config = config;
    this.#mode = mode;
  }

  override createDriver(): Driver {
    return this.#mode === "read" ? new ReadingDriver(this.#config) : super.createDriver();
  }

  /** Kysely's adapter says that SQLite cannot change its schema in a transaction; it can. */
  override createAdapter() {
    return Object.defineProperty(super.createAdapter(), "supportsTransactionalDdl", {
      value: true,
    });
  }
}
