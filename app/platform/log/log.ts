import pino, { type Logger } from "pino";

export type Log = Logger;

/**
 * JSON lines on standard output. Nothing personal belongs in a line: no address,
 * no name, no text that somebody wrote; ids are enough.
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      // PostgreSQL quotes what it refuses in these.
      paths: [
        "email",
        "*.email",
        "password",
        "*.password",
        "headers.cookie",
        "answers",
        "*.answers",
        "err.detail",
        "err.where",
        "err.internalQuery",
      ],
      censor: "[removed]",
    },
  });
}
