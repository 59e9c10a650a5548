import { ConfigError } from "./config/config.ts";
import { isUnreachable } from "./db/errors.ts";
import { NewerDatabase } from "./db/migrate.ts";
import { AlreadyRunning, DamagedLock } from "./lock.ts";
import { StorageUnavailable } from "./storage/storage.ts";

/** A command failed for a reason that its user can mend; the message is for her. */
export class CommandError extends Error {}

/** The site cannot listen where it should; the message is for whoever started it. */
export class CannotListen extends Error {
  constructor(cause: NodeJS.ErrnoException, { port, host }: { port: number; host: string }) {
    super(
      cause.code === "EADDRINUSE"
        ? `PORT: ${port} is taken by another program.`
        : cause.code === "EACCES"
          ? `PORT: not allowed to listen on ${port}.`
          : `HOST: cannot listen on ${host} (${cause.message}).`,
      { cause },
    );
  }
}

const writing = new Set(["EACCES", "EROFS", "ENOSPC", "ENOTDIR", "EISDIR", "EEXIST"]);
const damaged = new Set([11, 26]);

/** Why the site or a command cannot start, in a line a mistake; a stack only for what nobody foresaw. */
export function explain(error: unknown): string {
  const { code, errcode, severity, message } = error as {
    code?: string;
    /** SQLite's. */
    errcode?: number;
    /** PostgreSQL's. */
    severity?: string;
    message: string;
  };
  if (error instanceof ConfigError) return error.lines.join("\n");
  if (
    error instanceof CommandError ||
    error instanceof NewerDatabase ||
    error instanceof AlreadyRunning ||
    error instanceof DamagedLock ||
    error instanceof CannotListen ||
    error instanceof StorageUnavailable
  )
    return message;
  if (isUnreachable(error))
    return `DATABASE_URL: the database does not answer (${message || code}). Is it running, and is the address right?`;
  if (severity) return `DATABASE_URL: the database refuses (${message}).`;
  if (errcode !== undefined && damaged.has(errcode & 255))
    return `DATA_DIR: site.db is damaged or not a database (${message}). Restore it from a backup; nothing was changed.`;
  if (errcode !== undefined) return `DATA_DIR: the database there cannot be used (${message}).`;
  if (writing.has(code ?? "")) return `DATA_DIR: cannot be written to (${message}).`;
  return (error as Error).stack ?? String(error);
}
