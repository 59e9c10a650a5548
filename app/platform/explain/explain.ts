import { ConfigError } from "../config/config.ts";
import { isUnreachable } from "../db/errors.ts";
import { NewerDatabase } from "../db/migrate.ts";
import { StorageUnavailable } from "../storage/storage.ts";
import { CannotListen, CommandError } from "../utils/errors.ts";
import { AlreadyRunning, DamagedLock } from "../utils/lock.ts";

const writing = new Set(["EACCES", "EROFS", "ENOSPC", "ENOTDIR", "EISDIR", "EEXIST"]);
const damaged = new Set([11, 26]);

/** One line per mistake; a stack only for unforeseen errors. */
export function explain(error: unknown): string {
  const { code, errcode, severity, message } = error as {
    code?: string;
    errcode?: number;
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
  if (code === "25006")
    return "DATABASE_URL: this database can only be read, as a standby is. Name the one that is written to.";
  if (isUnreachable(error))
    return `DATABASE_URL: the database does not answer (${message || code}). Is it running, and is the address right?`;
  if (/CERT|SIGNED|ISSUER|LEAF/.test(code ?? ""))
    return `DATABASE_URL: the database's certificate is not trusted (${message.split(";")[0]}). Name the file of its authority there: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem`;
  if (message === "The server does not support SSL connections")
    return "DATABASE_URL: the database offers no encryption, which sslmode asks for. Switch it on there, or write ?sslmode=disable where the connection stays on your own machine or network.";
  if (severity) return `DATABASE_URL: the database refuses (${message}).`;
  if (errcode !== undefined && damaged.has(errcode & 255))
    return `DATA_DIR: site.db is damaged or not a database (${message}). Restore it from a backup; nothing was changed.`;
  if (errcode !== undefined) return `DATA_DIR: the database there cannot be used (${message}).`;
  if (writing.has(code ?? "")) return `DATA_DIR: cannot be written to (${message}).`;
  return (error as Error).stack ?? String(error);
}
