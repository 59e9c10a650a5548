const sqliteUnique = new Set([1555, 2067]);

/** Whether a write failed because a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === "23505" || sqliteUnique.has(errcode as number);
}

/** Whether a write failed because the row it refers to does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === "23503" || errcode === 787;
}

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
