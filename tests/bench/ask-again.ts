import { connect } from "node:net";
import type { LoadResult } from "./load.ts";
import { cpuSeconds, median, quantile } from "./measure.ts";

type Load = { width: number; seconds: number; pid: number };

/**
 * Asks for one and the same answer on `width` connections for a while, each with one request in
 * flight, counting bytes and keeping none: an answer of microseconds would otherwise drown in
 * the cost of asking. Connections are open before the clock starts.
 */
export async function askAgain(
  url: URL,
  headers: Record<string, string>,
  { width, seconds, pid }: Load,
): Promise<LoadResult> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(
    `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n${lines.join("")}\r\n`,
  );
  const lanes = await Promise.all(Array.from({ length: width }, () => openLane(url, request)));
  const before = cpuSeconds(pid);
  const end = performance.now() + seconds * 1000;
  const taken = (await Promise.all(lanes.map((lane) => lane.until(end)))).flat();
  const used = cpuSeconds(pid) - before;
  for (const lane of lanes) lane.close();
  return { perCore: taken.length / used, p50: median(taken), p99: quantile(taken, 0.99) };
}

/** A connection that has asked once, and knows how long the answer is: all are of one length. */
async function openLane({ hostname, port, host }: URL, request: Buffer) {
  const buffer = Buffer.alloc(64 * 1024);
  let onBytes: (bytes: Buffer) => void = () => {};
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: {
      buffer,
      callback(length) {
        onBytes(buffer.subarray(0, length));
        return true;
      },
    },
  });
  const broken = new Promise<never>((_, reject) => {
    socket.once("error", reject);
    socket.once("close", () => reject(new Error(`${host} hung up`)));
  });
  broken.catch(() => {});
  socket.setNoDelay(true);

  /** Asks; tells `done` when `length` bytes have come, or as many as the first answer's head says. */
  function ask(length: number, done: (length: number) => void) {
    let expected = length;
    let got = 0;
    onBytes = (bytes) => {
      if (got === 0) expected = checked(bytes, length);
      got += bytes.length;
      if (got > expected) throw new Error(`${host} sent more than one answer`);
      if (got === expected) done(expected);
    };
    socket.write(request);
  }

  const length = await Promise.race([broken, new Promise<number>((done) => ask(0, done))]);
  return {
    /** @returns what each answer took, in milliseconds */
    until(end: number): Promise<number[]> {
      const taken: number[] = [];
      const all = new Promise<number[]>((resolve) => {
        function next() {
          const start = performance.now();
          ask(length, () => {
            const now = performance.now();
            taken.push(now - start);
            if (now < end) next();
            else resolve(taken);
          });
        }
        next();
      });
      return Promise.race([broken, all]);
    },
    close: () => socket.destroy(),
  };
}

/** The length of an answer: `known`, or by its head. @throws when it is not a whole page */
function checked(bytes: Buffer, known: number): number {
  if (bytes.toString("latin1", 0, 12) !== "HTTP/1.1 200")
    throw new Error("the answer was not a page");
  if (known) return known;
  const end = bytes.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1];
  if (end < 0 || !length) throw new Error("an answer without a length");
  return end + 4 + Number(length);
}
