import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { cpuSeconds, residentMb } from "./measure.ts";

const rangeBytes = 1024 * 1024;
const lanes = 8;
const streamSeconds = 4;

/**
 * Asks for ranges of 1 MiB from all over the file on eight connections for a while,
 * counting bytes and keeping none, so that the asking costs little.
 * @returns processor time of the answering process for one range, in milliseconds
 */
export async function askRanges(url: URL, pid: number, seconds: number): Promise<number> {
  const before = cpuSeconds(pid);
  const end = performance.now() + seconds * 1000;
  const counts = await Promise.all(Array.from({ length: lanes }, () => lane(url, end)));
  return ((cpuSeconds(pid) - before) * 1000) / counts.reduce((sum, count) => sum + count, 0);
}

function lane(url: URL, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let missing = 0;
    const socket = reader(url, (bytes) => {
      if (missing === 0) missing = rangeBytes + headLength(bytes, 206);
      missing -= bytes.length;
      if (missing > 0) return;
      count++;
      if (performance.now() < end) return ask();
      socket.destroy();
      resolve(count);
    });
    function ask() {
      const start = Math.floor(Math.random() * 199) * rangeBytes;
      send(socket, url, `bytes=${start}-${start + rangeBytes - 1}`);
    }
    socket.once("error", reject);
    socket.once("connect", ask);
  });
}

/** Resident memory before, and at most while `count` readers take the whole file at once. */
export async function openStreams(url: URL, pid: number, count: number) {
  const before = residentMb(pid);
  const sockets = Array.from({ length: count }, () => {
    const socket = reader(url, () => {});
    return socket.once("connect", () => send(socket, url, "bytes=0-"));
  });
  let most = before;
  for (const end = performance.now() + streamSeconds * 1000; performance.now() < end; ) {
    await pause(50);
    most = Math.max(most, residentMb(pid));
  }
  for (const socket of sockets) socket.destroy();
  return { before, most };
}

function reader(url: URL, onBytes: (bytes: Uint8Array) => void): Socket {
  const buffer = Buffer.alloc(256 * 1024);
  return connect({
    host: url.hostname,
    port: Number(url.port),
    onread: {
      buffer,
      callback(length) {
        onBytes(buffer.subarray(0, length));
        return true;
      },
    },
  });
}

function send(socket: Socket, url: URL, range: string) {
  socket.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nRange: ${range}\r\n\r\n`,
  );
}

function headLength(bytes: Uint8Array, status: number): number {
  const text = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  if (!text.startsWith(`HTTP/1.1 ${status}`) || end < 0)
    throw new Error(`not a range: ${text.slice(0, 100)}`);
  return end + 4;
}
