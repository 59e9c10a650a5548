import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { CannotListen } from "../utils/errors.ts";
import {
  defaultTimeouts,
  hasBody,
  isAmbiguous,
  type ReceiveTimeouts,
  refuse,
  refuseOn,
  statusOfUnreadable,
} from "./request-guard.ts";
import { commonHeaders } from "./security.ts";

// Proxies keep connections for a minute. One that sends a form into a closing connection cannot
// know whether it arrived, and answers 502.
const keepAliveMs = 65_000;

// Milliseconds for an answer that is due to reach its client.
const sendingMs = 500;

// Milliseconds and turns of the event loop: what arrived while the process was busy is still read.
const turnMs = 20;
const leaveMs = 1500;
const quietTurns = 15;
const acceptMs = 1000;
const acceptTurns = 20;

/** `leave` answers while requests come, for at most 1.5 seconds: each answer ends its connection
 * and `/healthz` says 503, so that no form meets a closing one. Then it stops to listen, and no
 * connection that the system has accepted is reset. @throws {CannotListen} */
export async function serve(
  listener: RequestListener,
  config: Config,
  patience: ReceiveTimeouts = defaultTimeouts,
) {
  const common = commonHeaders(config);
  const underWay = new Set<ServerResponse>();
  // These sockets end with a refusal; Node may find further errors in what they sent.
  const refused = new WeakSet<Duplex>();
  let stopping = false;
  let closing = false;
  let asked = 0;
  let accepted = 0;
  /** Requests that are answered once the site listens no more. */
  let held: (() => void)[] | null = null;
  const options = {
    // Node's own refusal would lack our headers.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(10_000, patience.headMs / 2),
  };
  const server = createServer(options, (incoming, outgoing) => {
    if (held) held.push(() => answer(incoming, outgoing));
    else answer(incoming, outgoing);
  });

  function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
    asked += 1;
    if (stopping) outgoing.shouldKeepAlive = false;
    if (stopping && incoming.url === "/healthz") return answerStopping(outgoing, common);
    // Load balancers ask in HTTP/1.0, which has no Host.
    if (incoming.url === "/healthz" && incoming.httpVersion === "1.0")
      incoming.headers.host ??= "localhost";
    if (isAmbiguous(incoming)) {
      refused.add(incoming.socket);
      return refuse(outgoing, 400, common);
    }
    if (hasBody(incoming)) waitFor(incoming, outgoing);
    listener(incoming, outgoing);
    if (outgoing.writableEnded) return;
    underWay.add(outgoing);
    outgoing.once("close", () => {
      underWay.delete(outgoing);
      // Connections that were promised to stay open have nothing more to wait for.
      if (closing) server.closeIdleConnections();
    });
  }
  server.on("connection", () => {
    accepted += 1;
  });
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = patience.headMs;
  // A video takes hours on a slow line: only silence counts.
  server.requestTimeout = 0;
  server.timeout = patience.silenceMs;
  server.on("checkExpectation", (_, outgoing: ServerResponse) => refuse(outgoing, 417, common));
  server.on("clientError", (error, socket) => {
    if (refused.has(socket)) return;
    // An answer that has begun is cut off, never continued with another one.
    const begun = [...underWay].some((one) => one.socket === socket && one.headersSent);
    if (begun) socket.destroy();
    else refuseOn(socket, statusOfUnreadable(error), common);
  });

  // A client that sends its body drop by drop must not hold the connection.
  function waitFor(incoming: IncomingMessage, outgoing: ServerResponse) {
    if (incoming.url?.startsWith("/uploads/")) return;
    const impatient = globalThis.setTimeout(() => {
      if (incoming.complete) return;
      if (outgoing.headersSent) incoming.socket.destroy();
      else refuseOn(incoming.socket, 408, common);
    }, patience.bodyMs);
    incoming.once("close", () => clearTimeout(impatient));
  }
  await listen(server, config);
  const { port } = server.address() as AddressInfo;

  function beginToLeave() {
    stopping = true;
    for (const outgoing of underWay) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
  }
  let closed: Promise<void> | undefined;

  /** The system resets what it has accepted and the process has not, so all of that is taken first.
   * Meanwhile no request is answered: with each answer, clients would connect anew. */
  async function stopListening() {
    held = [];
    const until = performance.now() + acceptMs;
    for (let quiet = 0; quiet < acceptTurns && performance.now() < until; ) {
      const before = accepted;
      await setImmediate();
      quiet = accepted === before ? quiet + 1 : 0;
    }
    // Not the HTTP server's own: it would also end connections that are about to be used.
    closed = new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    const waiting = held;
    held = null;
    for (const begin of waiting) begin();
  }

  return {
    port,
    async leave(): Promise<void> {
      beginToLeave();
      const until = performance.now() + leaveMs;
      for (let quiet = 0; quiet < quietTurns && performance.now() < until; ) {
        if ((await connections(server)) === 0) break;
        const before = asked;
        await setTimeout(turnMs);
        quiet = asked === before ? quiet + 1 : 0;
      }
      await stopListening();
    },
    async close(): Promise<void> {
      beginToLeave();
      if (!closed) await stopListening();
      closing = true;
      const impatient = globalThis.setTimeout(
        () => server.closeAllConnections(),
        config.answerWithinMs + sendingMs,
      );
      // Idle connections, and its timer.
      server.close();
      await closed;
      clearTimeout(impatient);
    },
  };
}

function answerStopping(outgoing: ServerResponse, common: Record<string, string>) {
  const own = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  outgoing.writeHead(503, { ...common, ...own });
  outgoing.end(JSON.stringify({ status: "stopping" }));
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new CannotListen(error, config)));
    server.listen(config.port, config.host, resolve);
  });
}
