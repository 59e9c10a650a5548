import type { Log } from "../log/log.ts";

const longestPath = 300;

/** Broken links carry tokens behind an encoded '?', or email addresses; some are encoded twice. */
export function loggablePath(path: string): string {
  const [asked = ""] = path.split(/%(?:25)*3f/i);
  const parts = asked.split("/").map((part) => (/@|%(?:25)*40/.test(part) ? "[removed]" : part));
  return parts.join("/").slice(0, longestPath);
}

/** Always logs a 404 (spec 2, 404 page), except for a prefetch: its follower asks again. */
export function requestLine(log: Log) {
  const isWanted = log.isLevelEnabled("debug");
  return (method: string, path: string, status: number, start: number, ahead = false): void => {
    const isNowhere = status === 404 && !ahead;
    if (!isWanted && !isNowhere) return;
    const ms = Math.round(performance.now() - start);
    const line = { method, path: loggablePath(path), status, ms };
    if (isNowhere) log.info(line, "no such page");
    else log.debug(line);
  };
}
