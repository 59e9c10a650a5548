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

// Writes take turns, in order. SQLite works in the thread that answers requests, and each commit
// waits for the disk: without turns, a hundred writes would be one long step that blocks everyone.
class WritingDriver extends SqliteDriver {
  readonly #waiting: (() => void)[] = [];
  readonly #turn = turnsOf(3);
  #isTaken = false;

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
}

export class OurSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #mode: "read" | "write";

  constructor(config: SqliteDialectConfig, mode: "read" | "write") {
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
