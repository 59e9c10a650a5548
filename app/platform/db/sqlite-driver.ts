import {
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";

/**
 * Kysely's driver with another order of waiting. Its own lock lets newcomers pass those
 * who wait, so under load some requests stand for seconds; here the writer is had in turn.
 * The reader needs no lock at all: a query on it runs from start to end in one step.
 */
class FairDriver extends SqliteDriver {
  readonly #shared: boolean;
  readonly #waiting: (() => void)[] = [];
  #connection: DatabaseConnection | undefined;
  #taken = false;

  constructor(config: SqliteDialectConfig, shared: boolean) {
    super(config);
    this.#shared = shared;
  }

  override async init(): Promise<void> {
    await super.init();
    this.#connection = await super.acquireConnection();
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#connection) throw new Error("the database is not open");
    if (!this.#shared) {
      if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#taken = true;
    }
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    // Handed over while still taken: nobody can step in between.
    if (next) next();
    else this.#taken = false;
  }
}

/** Kysely's SQLite for one handle: `shared` when it only reads. */
export class FairSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #shared: boolean;

  constructor(config: SqliteDialectConfig, { shared }: { shared: boolean }) {
    super(config);
    this.#config = config;
    this.#shared = shared;
  }

  override createDriver(): Driver {
    return new FairDriver(this.#config, this.#shared);
  }

  /** Kysely's adapter says that SQLite cannot change its schema in a transaction; it can. */
  override createAdapter() {
    return Object.defineProperty(super.createAdapter(), "supportsTransactionalDdl", {
      value: true,
    });
  }
}
