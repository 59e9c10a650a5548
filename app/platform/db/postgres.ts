import { Socket } from "node:net";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Tables } from "./tables.ts";

const types = new pg.TypeOverrides();
// int8 and count(*) arrive as text by default; nothing here counts beyond 2^53.
types.setTypeParser(20, Number);

/** No query of ours takes as long, in milliseconds: a connection that says nothing is a dead one. */
const silenceMs = 60_000;

/**
 * Opens a pool of connections to PostgreSQL. Connections are made when first needed.
 * @param silence how long one may say nothing, in milliseconds; 0 for as long as it likes
 */
export function openPostgres(
  url: string,
  onError: (error: Error) => void,
  silence = silenceMs,
): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 10,
    connectionTimeoutMillis: 5000,
    // A server that vanished without a word is found out; else its connections wait for good.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Nor is it found out while a query waits: the system sends it again for a quarter of an hour.
    stream: () => impatientSocket(silence),
    application_name: "blue-dot",
  });
  // Without a listener, a connection that breaks ends the process: the pool listens to idle ones
  // only, and hands on what it hears; between two statements of a transaction nobody would.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => {});
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

function impatientSocket(silence: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silence, () =>
    socket.destroy(Object.assign(new Error("the database said nothing"), { code: "ETIMEDOUT" })),
  );
  return socket;
}
