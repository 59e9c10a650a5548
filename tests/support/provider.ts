import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A status to answer with; 'hang' answers nothing for now, 'drop' hangs up. */
type Answer = number | { status: number; location: string } | "hang" | "drop";

type Arrived = { method: string; path: string; fields: [string, string][]; answer: Answer };

export type Provider = Awaited<ReturnType<typeof startProvider>>;

/**
 * A real server that stands for the email provider: it takes forms, notes what arrived, and
 * answers 200, or what `answers` holds next.
 */
export async function startProvider(port = 0) {
  const arrived: Arrived[] = [];
  const answers: Answer[] = [];
  const held: ServerResponse[] = [];

  async function take(request: IncomingMessage, response: ServerResponse) {
    const { method = "", url: path = "", headers } = request;
    const body = await buffer(request);
    const answer = answers.shift() ?? 200;
    arrived.push({ method, path, fields: await fieldsOf(body, headers["content-type"]), answer });
    if (answer === "drop") return request.socket.destroy();
    if (answer === "hang") return held.push(response);
    const { status, location } =
      typeof answer === "number" ? { status: answer, location: "/thank-you" } : answer;
    if (status >= 300 && status < 400) response.setHeader("Location", location);
    // As providers do: the answer repeats what was sent.
    response.writeHead(status, { "Content-Type": "text/plain" }).end(body);
  }

  const server = createServer((request, response) => {
    // Of a client that hung up in the middle there is no body; what cannot be read is not taken.
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forms/7/subscriptions`;
  return {
    url,
    arrived,
    answers,
    /** The forms that were answered with success. */
    taken: () => arrived.filter(({ answer }) => typeof answer === "number" && answer < 400),
    /** Answers what hangs. */
    release(status: number) {
      for (const response of held.splice(0)) response.writeHead(status).end();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function fieldsOf(body: Buffer, type = ""): Promise<[string, string][]> {
  if (!body.length) return [];
  const form = await new Response(new Uint8Array(body), {
    headers: { "content-type": type },
  }).formData();
  return [...form].map(([name, value]) => [name, String(value)]);
}
