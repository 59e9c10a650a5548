import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config/config.ts";
import { CannotListen } from "../explain.ts";

/**
 * Proxies keep connections for a minute; one that sends a form into a connection that is just
 * being closed cannot know whether it arrived, and answers 502.
 */
const keepAliveMs = 65_000;

/** Requests in flight have so long to end, in milliseconds; supervisors kill after ten seconds. */
const patienceMs = 8000;

/**
 * Listens where the configuration says. Closing takes no new connections, finishes the requests
 * in flight, and tells every connection with its last answer that it is the last one.
 * @throws {CannotListen}
 */
export async function serve(listener: RequestListener, config: Config) {
  const underWay = new Set<ServerResponse>();
  let closing = false;
  const server = createServer((incoming, outgoing) => {
    if (closing) outgoing.shouldKeepAlive = false;
    listener(incoming, outgoing);
    if (outgoing.writableEnded) return;
    underWay.add(outgoing);
    outgoing.once("close", () => {
      underWay.delete(outgoing);
      // What had been promised to stay open before has nothing more to wait for.
      if (closing) server.closeIdleConnections();
    });
  });
  server.keepAliveTimeout = keepAliveMs;
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close(): Promise<void> {
      closing = true;
      for (const outgoing of underWay) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
      return stop(server);
    },
  };
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new CannotListen(error, config)));
    server.listen(config.port, config.host, resolve);
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => server.closeAllConnections(), patienceMs);
    server.close(() => {
      clearTimeout(impatient);
      resolve();
    });
    server.closeIdleConnections();
  });
}
