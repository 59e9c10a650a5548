import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/**
 * Below what systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): a port
 * up there that is free now can be some connection's own before a server has taken it. Browsers and
 * fetch refuse 10080 ('bad port'), the last one of their list.
 */
const lowest = 10_081;
const highest = 32_000;

/**
 * A port for a server that a test starts. It stays this process's own as long as the process lives,
 * also between two starts of the server: the UDP port of the same number is held, which no server
 * of ours uses, and nothing is left to clean up.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`no free port between ${lowest} and ${highest}`);
}

/** @returns whether no other test process has it */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}

/**
 * @returns whether no program serves there, on this address or on all. Both are asked for: macOS
 * gives the one while another program has the other.
 */
async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, "127.0.0.1")) && (await canListen(port));
}

function canListen(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
