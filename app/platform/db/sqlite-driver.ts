import {
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";
import { turnsOf } from "../utils/event-loop.ts";

// A read runs in one step, so that no query waits for a lock, or is woken in vain.
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

type Config = SqliteDialectConfig & { isInTransaction(): boolean };

// Writes take turns, in order. SQLite works in the thread that answers requests, and each commit
// waits for the disk: without turns, a hundred writes would be one long step that blocks everyone.
class WritingDriver extends SqliteDriver {
  readonly #waiting: (() => void)[] = [];
  readonly #turn = turnsOf(3);
  readonly #config: Config;
  #isTaken = false;

  constructor(config: Config) {
    super(config);
    this.#config = config;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    await this.#turn();
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection();
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }

  /** On a full disk SQLite rolls back by itself; a second rollback's error would hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#config.isInTransaction()) await super.rollbackTransaction(connection);
  }
}

export class OurSqliteDialect extends SqliteDialect {
  readonly #config: Config;
  readonly #mode: "read" | "write";

  constructor(config: Config, mode: "read" | "write") {
    super(config);
    this.#config = config;
    this.#mode = mode;
  }

  override createDriver(): Driver {
    const OurDriver = this.#mode === "read" ? ReadingDriver : WritingDriver;
    return new OurDriver(this.#config);
  }

  /** Kysely's adapter says that SQLite cannot change its schema in a transaction; it can. */
  override createAdapter() {
    return Object.defineProperty(super.createAdapter(), "supportsTransactionalDdl", {
      value: true,
    });
  }
}
