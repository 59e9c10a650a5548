import pino, { type Logger } from "pino";

export type Log = Logger;

/** JSON lines on standard output. Log ids, nothing personal: no email, name or text of a user. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      // PostgreSQL quotes refused values in these.
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

export type RefusalKind = "limit" | "origin" | "signature" | "role" | "body";

const linesEach = 20;
const minuteMs = 60_000;

type Minute = { since: number; lines: number; unwritten: number };
const minutes = new WeakMap<Log, Map<RefusalKind, Minute>>();

/** Logs no user or address. `unwritten` counts lines left out; `now` is monotonic milliseconds. */
export function logRefusal(
  log: Log,
  kind: RefusalKind,
  where: string,
  now: number = performance.now(),
): void {
  const own = minutes.get(log) ?? new Map<RefusalKind, Minute>();
  minutes.set(log, own);
  const last = own.get(kind);
  const isOver = !last || now - last.since >= minuteMs;
  if (last && !isOver && last.lines >= linesEach) {
    last.unwritten += 1;
    return;
  }
  const unwritten = last?.unwritten ?? 0;
  const since = isOver ? now : last.since;
  own.set(kind, { since, lines: isOver ? 1 : last.lines + 1, unwritten: 0 });
  log.warn({ kind, where, ...(unwritten > 0 && { unwritten }) }, "refused");
}
