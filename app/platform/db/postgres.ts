import { Socket } from "node:net";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Tables } from "./tables.ts";

const types = new pg.TypeOverrides();
// int8 and count(*) arrive as text by default; no count here exceeds 2^53.
types.setTypeParser(20, Number);

type Options = {
  onError(error: Error): void;
  onFailure?(error: unknown): void;
  /** Milliseconds without data; 0, the default, for no limit. */
  silence?: number;
};

export function openPostgres(
  url: string,
  { onError, onFailure, silence = 0 }: Options,
): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: withCheckedCertificate(url),
    types,
    max: 10,
    // An idle connection is closed before its silence counts as a failure.
    idleTimeoutMillis: silence ? silence / 2 : 10_000,
    connectionTimeoutMillis: Math.min(5000, silence || 5000),
    // Detects a server that vanished; else its connections would wait forever.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Keep-alive fails while a query waits: the system retransmits for a quarter of an hour.
    stream: () => impatientSocket(silence),
    application_name: "blue-dot",
  });
  // Without a listener, a broken connection ends the process. The pool listens to idle ones only,
  // so between two statements of a transaction no one would.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => {});
  const connect = () =>
    pool.connect().catch((error: unknown) => {
      onFailure?.(error);
      throw error;
    });
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(onFailure && {
      log: (event) => {
        if (event.level === "error") onFailure(event.error);
      },
    }),
  });
}

/** The driver checks the certificate whatever `sslmode` says, and warns of it in nine lines. */
function withCheckedCertificate(url: string): string {
  if (url.includes("uselibpqcompat=")) return url;
  return url.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

function impatientSocket(silence: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silence, () =>
    socket.destroy(Object.assign(new Error("the database said nothing"), { code: "ETIMEDOUT" })),
  );
  return socket;
}
