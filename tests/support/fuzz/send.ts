import { type Agent, request } from "node:http";
import { rawSocket } from "../raw-socket.ts";
import type { FuzzRequest } from "./requests.ts";

export type Got = { status: number; headers: string; body: string };

/**
 * Sends it and reads everything that comes back; status 0 where nothing did, as for an
 * address that no client lets through.
 */
export async function send(url: string, asked: FuzzRequest, agent: Agent): Promise<Got> {
  if (asked.bytes) {
    // Half of a request is ended, else it would be waited for.
    const answer = await rawSocket(url, asked.bytes, {
      toTheEnd: true,
      half: true,
      patienceMs: 20_000,
    });
    return { status: answer.status, headers: "", body: answer.text };
  }
  const { hostname, port } = new URL(url);
  const { method, path, body } = asked;
  return new Promise((resolve, reject) => {
    const headers = asked.headers.flat();
    const length = body === null ? [] : ["content-length", String(Buffer.byteLength(body))];
    const options = { hostname, port, method, path, agent, setHost: false };
    const host = ["host", `${hostname}:${port}`];
    try {
      const outgoing = request({ ...options, headers: [...host, ...headers, ...length] as never });
      outgoing.on("error", reject);
      outgoing.once("response", (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("error", reject);
        incoming.once("end", () => {
          const said = JSON.stringify(incoming.rawHeaders);
          const status = incoming.statusCode ?? 0;
          resolve({ status, headers: said, body: Buffer.concat(parts).toString("utf8") });
        });
      });
      outgoing.end(body ?? undefined);
    } catch (error) {
      // Node's own client does not send every sign in a path or a header.
      if (
        /ERR_(INVALID_CHAR|UNESCAPED|INVALID_HTTP|HTTP_INVALID)/.test(
          String((error as { code?: string }).code),
        )
      )
        resolve({ status: 0, headers: "", body: "" });
      else reject(error);
    }
  });
}
