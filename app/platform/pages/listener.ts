import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { requestLine } from "../http/request-line.ts";
import type { Log } from "../log/log.ts";
import { answerOf, type CachedPage } from "./cached-page.ts";
import type { PageCache } from "./page-cache.ts";
import { isPersonal } from "./shareable.ts";

/** Answers from the page cache before anything else of the server runs. */
export function pageCacheListener(
  memory: PageCache,
  log: Log,
  otherwise: RequestListener,
): RequestListener {
  const line = requestLine(log);
  return (incoming, outgoing) => {
    const { method, url = "" } = incoming;
    if (method !== "GET" && method !== "HEAD") return otherwise(incoming, outgoing);
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    const page = memory.find(path);
    const { headers } = incoming;
    // Whether a user who saves data gets a prefetched page is decided further on.
    const isDebatable = headers["sec-purpose"] && headers["save-data"];
    if (!page || isDebatable || isPersonal(headers.cookie)) return otherwise(incoming, outgoing);
    const start = performance.now();
    send(page, incoming, outgoing);
    line(method, path, outgoing.statusCode, start);
  };
}

function send(page: CachedPage, { method, headers }: IncomingMessage, outgoing: ServerResponse) {
  const answer = answerOf(page, headers["accept-encoding"], headers["if-none-match"]);
  outgoing.writeHead(answer.status, answer.headers);
  if (answer.body && method !== "HEAD") outgoing.end(answer.body);
  else outgoing.end();
}
