const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  // PostgreSQL: shutting down, crashing, starting, all its connections taken.
  "57P01",
  "57P02",
  "57P03",
  "53300",
]);

/** What pg and PostgreSQL say without a code of its own. */
const gone =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|not currently accepting connections/;

/** Whether the database itself cannot be reached, as opposed to refusing a query. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return unreachable.has(code ?? "") || gone.test(message ?? "");
}
