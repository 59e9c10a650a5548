import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Log } from "../../log/log.ts";
import { requestLine } from "../request-line.ts";
import { answerOf, type KeptPage } from "./kept-page.ts";
import type { PageMemory } from "./memory.ts";
import { isPersonal } from "./shareable.ts";

/** Answers what is kept in memory before anything else of the server runs; the rest goes on to `otherwise`. */
export function memoryFirst(
  memory: PageMemory,
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
    // Whether somebody who saves data gets a page in advance is decided further on.
    const isDebatable = headers["sec-purpose"] && headers["save-data"];
    if (!page || isDebatable || isPersonal(headers.cookie)) return otherwise(incoming, outgoing);
    const start = performance.now();
    send(page, incoming, outgoing);
    line(method, path, outgoing.statusCode, start);
  };
}

function send(page: KeptPage, { method, headers }: IncomingMessage, outgoing: ServerResponse) {
  const answer = answerOf(page, headers["accept-encoding"], headers["if-none-match"]);
  outgoing.writeHead(answer.status, answer.headers);
  if (answer.body && method !== "HEAD") outgoing.end(answer.body);
  else outgoing.end();
}
