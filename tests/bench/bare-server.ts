import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// What Node's own server costs before any work of ours: `node bare-server.ts <port> <file>` sends
// the same compressed bytes to anyone who asks.
const [, , port, file = ""] = process.argv;
const body = readFileSync(file);
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-encoding": "gzip",
  "content-length": body.length,
};
createServer((_, outgoing) => outgoing.writeHead(200, headers).end(body)).listen(
  Number(port),
  "127.0.0.1",
);
