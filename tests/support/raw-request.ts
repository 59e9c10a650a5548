import { type Agent, request } from "node:http";

type Raw = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** A pool of connections, to use one again; by default each request has its own. */
  agent?: Agent;
  /** Sends a body of no announced length, up to so many bytes, until the answer comes. */
  endless?: number;
};

export type RawAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** The body as it came, compressed or not. */
  bytes: Buffer;
  /** Bytes of body handed over before the answer came. */
  sent: number;
};

/**
 * A request byte for byte: the path is not tidied, a body may be announced and never
 * sent. Without an agent the connection is closed as soon as the answer is read.
 */
export function rawRequest(
  url: string,
  { method = "GET", path, headers = {}, body, agent, endless = 0 }: Raw,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request({ hostname, port, method, path, headers, agent: agent ?? false });
    let sent = 0;
    let answered = false;
    outgoing.once("response", (incoming) => {
      answered = true;
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.once("end", () => {
        if (!agent) outgoing.destroy();
        const bytes = Buffer.concat(parts);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: bytes.toString("utf8"),
          bytes,
          sent,
        });
      });
    });
    outgoing.on("error", (error) => {
      if (!answered) reject(error);
    });
    const piece = Buffer.alloc(64 * 1024, "a");
    function send() {
      while (!answered && sent < endless) {
        sent += piece.length;
        if (!outgoing.write(piece)) return outgoing.once("drain", send);
      }
      if (!answered) outgoing.end();
    }
    if (endless > 0) send();
    else if (body) outgoing.end(body);
    else if (headers["content-length"]) outgoing.flushHeaders();
    else outgoing.end();
  });
}
