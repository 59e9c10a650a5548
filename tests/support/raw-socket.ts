import { connect } from "node:net";

/** What came back on a connection: the first answer, and everything as it was. */
export type SocketAnswer = {
  /** 0 when the connection ended without a word. */
  status: number;
  headers: Headers;
  /** As it came, with whatever followed. */
  text: string;
  /** How many answers there were. */
  answers: number;
  /** Whether the other side ended the connection, in time. */
  closed: boolean;
};

type Options = {
  /** Waits for the other side to end the connection, instead of for the first answer. */
  toTheEnd?: boolean;
  /** Sends these after the first part, one each so many milliseconds. */
  drops?: { part: string | (() => Buffer); everyMs: number };
  /** Says that nothing more will come. */
  half?: boolean;
  /** How long to wait for all of this. */
  patienceMs?: number;
};

/**
 * Writes bytes to a new connection, as no HTTP client would. Without `toTheEnd` it ends as soon as
 * the first answer's head is there.
 */
export function rawSocket(
  url: string,
  bytes: string | Buffer,
  { toTheEnd = false, drops, half = false, patienceMs = 10_000 }: Options = {},
): Promise<SocketAnswer> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let text = "";
    let dropping: NodeJS.Timeout | undefined;
    const impatient = setTimeout(() => end(false), patienceMs);
    const end = (closed: boolean) => {
      clearTimeout(impatient);
      clearInterval(dropping);
      socket.destroy();
      resolve({ ...read(text), text, closed });
    };
    socket.on("data", (part: Buffer) => {
      text += part.toString("latin1");
      if (!toTheEnd && text.includes("\r\n\r\n")) end(false);
    });
    // A client that is refused while sending may be cut off before it has sent everything.
    socket.on("error", () => end(true));
    socket.on("close", () => end(true));
    socket.write(bytes);
    if (half) socket.end();
    if (!drops) return;
    const { part, everyMs } = drops;
    dropping = setInterval(() => socket.write(typeof part === "string" ? part : part()), everyMs);
  });
}

function read(text: string) {
  const [head = ""] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const answers = text.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0), headers, answers };
}

/** A request as text, with lines ended as HTTP has them. */
export function request(first: string, headers: Record<string, string> = {}, body = ""): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [first, ...lines, "", body].join("\r\n");
}
