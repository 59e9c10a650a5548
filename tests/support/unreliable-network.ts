import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy whose connections can go silent, as they do behind firewalls and routers. */
export async function startUnreliableProxy(host: string, port: number) {
  const ends = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let isSilent = false;
  const server = createServer((near) => {
    if (isSilent) {
      ends.add(near);
      near.on("error", () => {});
      return;
    }
    const far = connect(port, host);
    near.on("data", (bytes) => {
      left -= bytes.length;
      if (left > 0) return;
      left = Number.POSITIVE_INFINITY;
      for (const end of ends) end.destroy();
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one.on("error", () => {});
      one.once("close", () => {
        ends.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    /** Nothing gets through any more on the connections that there are; new ones are good. */
    falter() {
      for (const end of ends) end.unpipe().pause();
    },
    /** Nothing gets through any more, and nothing will on new connections. */
    fallSilent() {
      isSilent = true;
      for (const end of ends) end.unpipe().pause();
    },
    /** Breaks the connections that there are when so many more bytes have gone to the server; new ones are good. */
    cutAfter(bytes: number) {
      left = bytes;
    },
    async close() {
      for (const end of ends) end.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
