const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  // PostgreSQL: shutting down, crashing, starting, idle too long, out of connections, a standby.
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "53300",
  "25006",
]);

const gone =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|not currently accepting connections|driver has already been destroyed/;

/** Whether the database cannot be reached or written; nothing is wrong with the statement. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  // 08: connections, also those of a pooler whose server is away.
  return unreachable.has(code ?? "") || /^08.{3}$/.test(code ?? "") || gone.test(message ?? "");
}

// SQLite's extended codes (primary key, unique index) and PostgreSQL's.
const duplicate = new Set<unknown>([1555, 2067, "23505"]);

export function isDuplicate(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return duplicate.has(errcode) || duplicate.has(code);
}
