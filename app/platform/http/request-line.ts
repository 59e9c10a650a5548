import type { Log } from "../log/log.ts";

/** Characters. Longer ones were not written by anybody. */
const longestPath = 300;

/**
 * A path as the log may have it. Links get broken on their way: what was a '?' with a token
 * behind it has become a part of the path, or an e-mail address has; some are encoded twice.
 */
export function loggablePath(path: string): string {
  const [asked = ""] = path.split(/%(?:25)*3f/i);
  const parts = asked.split("/").map((part) => (/@|%(?:25)*40/.test(part) ? "[removed]" : part));
  return parts.join("/").slice(0, longestPath);
}

/**
 * One line a request: what was asked, what was answered, how long it took since `start`. No
 * query, no address. A path that leads nowhere is always worth its line (spec 2, 404 page), but
 * not when it was asked for `ahead`: whoever follows the link asks for it again.
 */
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
