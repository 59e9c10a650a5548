import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Milliseconds for a request's head, for its body (except uploads), and without any traffic. */
export type ReceiveTimeouts = {
  headMs: number;
  bodyMs: number;
  silenceMs: number;
};

// A form of 5 MB takes a minute on a slow line, a video hours: of uploads only silence counts.
export const defaultTimeouts: ReceiveTimeouts = {
  headMs: 60_000,
  bodyMs: 300_000,
  silenceMs: 300_000,
};

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

export function statusOfUnreadable(error: Error): number {
  return statusOfError[(error as NodeJS.ErrnoException).code ?? ""] ?? 400;
}

const isHost = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;
// A path, or an absolute URL; browsers read a backslash in either as a slash.
const isAddress = /^(https?:\/\/[^/\\]+)?\/[^\\?]*(\?|$)/i;

/** Two parsers could differ: two hosts or none (RFC 9112, 3.2), or a coding not decoded here. */
export function isAmbiguous({ rawHeaders, headers, httpVersion, url }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== "1.0")) return true;
  if (!isHost.test(headers.host ?? "") || !isAddress.test(url ?? "")) return true;
  const coding = headers["transfer-encoding"];
  return coding !== undefined && coding.trim().toLowerCase() !== "chunked";
}

export function refuse(outgoing: ServerResponse, status: number, headers: Record<string, string>) {
  outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, { ...headers, "Cache-Control": "no-store", "Content-Length": "0" });
  outgoing.end();
}

export function refuseOn(socket: Duplex, status: number, headers: Record<string, string>) {
  if (!socket.writable) return void socket.destroy();
  const all = { ...headers, "Cache-Control": "no-store", "Content-Length": "0" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${reasons[status] ?? ""}\r\nConnection: close\r\n`;
  // Not in the callback of `end`: a client that reads nothing would hold the connection open.
  socket.write(`${head}${lines.join("")}\r\n`, () => socket.destroy());
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
