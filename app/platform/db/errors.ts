const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  "57P01",
  "57P03",
]);

/** Whether the database itself cannot be reached, as opposed to refusing a query. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    unreachable.has(code ?? "") ||
    /timeout exceeded when trying to connect|Connection terminated/.test(message ?? "")
  );
}
