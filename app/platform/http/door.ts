import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How long somebody may take, in milliseconds. */
export type Patience = {
  /** For the head of a request, from its first byte or from the connection's beginning. */
  headMs: number;
  /** For the whole of a request, other than an upload, from its head. */
  bodyMs: number;
  /** A connection on which nothing has moved for so long is given up. */
  silenceMs: number;
};

/**
 * A form of 5 MB takes a minute on a slow line. A video takes hours: of uploads, which
 * administrators alone may send, only silence counts.
 */
export const usualPatience: Patience = { headMs: 60_000, bodyMs: 300_000, silenceMs: 300_000 };

const reasons: Record<number, string> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};
const statusOfError: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The status for what Node could not read as a request. */
export function statusOfUnreadable(error: Error): number {
  return statusOfError[(error as NodeJS.ErrnoException).code ?? ""] ?? 400;
}

const isHost = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;
/** A path, or a whole address; browsers read a backslash in either as a slash. */
const isAddress = /^(https?:\/\/[^/\\]+)?\/[^\\?]*(\?|$)/i;

/**
 * Whether two readers of this request could take it for two different ones: it names two hosts, or
 * none (RFC 9112, 3.2), or its body is coded in a way that nobody here undoes.
 */
export function isAmbiguous({ rawHeaders, headers, httpVersion, url }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== "1.0")) return true;
  if (!isHost.test(headers.host ?? "") || !isAddress.test(url ?? "")) return true;
  const coding = headers["transfer-encoding"];
  return coding !== undefined && coding.trim().toLowerCase() !== "chunked";
}

/** Refuses a request that has been taken in; whatever else comes on its connection is not read. */
export function refuse(outgoing: ServerResponse, status: number, headers: Record<string, string>) {
  outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, { ...headers, "Cache-Control": "no-store", "Content-Length": "0" });
  outgoing.end();
}

/** The same where there is no request that could be answered, or none that is whole. */
export function refuseOn(socket: Duplex, status: number, headers: Record<string, string>) {
  if (!socket.writable) return void socket.destroy();
  const all = { ...headers, "Cache-Control": "no-store", "Content-Length": "0" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${reasons[status] ?? ""}\r\nConnection: close\r\n`;
  // Without a callback of end: a caller who reads nothing would keep the connection.
  socket.write(`${head}${lines.join("")}\r\n`, () => socket.destroy());
}

/** Whether something of the body may still come. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
