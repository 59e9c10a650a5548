import type { Log } from "./log.ts";

/** What was refused: a limit was reached, a request came from another site, something was not signed here, somebody lacks the role, a body was too large or one too many. */
export type RefusalKind = "limit" | "origin" | "signature" | "role" | "body";

/** Lines of one kind that each process writes within a minute; the rest are counted. */
const linesEach = 20;
const minuteMs = 60_000;

type Minute = { since: number; lines: number; unwritten: number };
const minutes = new WeakMap<Log, Map<RefusalKind, Minute>>();

/**
 * A line for a refusal that matters, with nothing of who was refused: an address is somebody's too.
 * In a flood, `unwritten` says how many of its kind had no line since the last one.
 * @param door which limit, link or address, as the code calls it
 * @param now in milliseconds, of a clock that only goes forward
 */
export function logRefusal(
  log: Log,
  kind: RefusalKind,
  door: string,
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
  log.warn({ kind, door, ...(unwritten > 0 && { unwritten }) }, "refused");
}
