import type { RequestListener } from "node:http";
import { sessionCookie } from "../auth/constants.ts";
import { hostPrefix } from "../auth/cookies.ts";
import { toastCookieName } from "../http/flash.ts";
import { requestLine } from "../http/request-line.ts";
import type { Log } from "../log/log.ts";
import type { Visits } from "../visits/visits.ts";
import { answerOf } from "./cached-page.ts";
import type { PageCache } from "./page-cache.ts";

/** Answers from the page cache before anything else of the server runs. */
export function pageCacheListener(
  { cache, log, visits }: { cache: PageCache; log: Log; visits: Visits },
  otherwise: RequestListener,
): RequestListener {
  const line = requestLine(log);
  return (incoming, outgoing) => {
    const { method, url = "", headers } = incoming;
    if (method !== "GET" && method !== "HEAD") return otherwise(incoming, outgoing);
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    const page = cache.find(path);
    // Whether a user who saves data gets a prefetched page is decided further on.
    const isDebatable = headers["sec-purpose"] && headers["save-data"];
    if (!page || isDebatable || isPersonal(headers.cookie)) return otherwise(incoming, outgoing);
    const start = performance.now();
    const answer = answerOf(page, headers["accept-encoding"], headers["if-none-match"]);
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(method === "HEAD" ? undefined : answer.body);
    line(method, path, answer.status, start);
    if (method === "GET") visits.count(path, headers);
  };
}

const personal = new RegExp(
  String.raw`(?:^|;)\s*(?:${hostPrefix})?(?:${sessionCookie.replace(".", "\\.")}|${toastCookieName})\s*=`,
);

/** Whether cookies make an answer personal: a session, valid or not, or a toast. */
export function isPersonal(cookies: string | null | undefined): boolean {
  return cookies ? personal.test(cookies) : false;
}

/** Whether a path is written as our own links write it: each page then has one cache key. */
export function isCanonical(path: string): boolean {
  return /^\/(?:[a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\.xml)?)?$/.test(path);
}
