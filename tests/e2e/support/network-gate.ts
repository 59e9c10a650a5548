import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Gate = Awaited<ReturnType<typeof startGate>>;

/**
 * A line to the site that a test holds in its hand: it lets so many bytes of uploads through and
 * no more, is cut, and comes back. Everything else gets through, while there is a line.
 */
export async function startGate(siteUrl: string) {
  const { hostname, port } = new URL(siteUrl);
  const lines = new Set<{ near: Socket; far: Socket; isUpload: boolean }>();
  let left = Number.POSITIVE_INFINITY;
  let isCut = false;
  let full = Promise.withResolvers<void>();
  let tick: ReturnType<typeof setInterval> | undefined;
  const goOn = () => {
    for (const { near } of lines) near.resume();
  };

  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), "127.0.0.1");
    const line = { near, far, isUpload: false };
    lines.add(line);
    for (const end of [near, far]) {
      end.on("error", () => {});
      end.once("close", () => {
        lines.delete(line);
        near.destroy();
        far.destroy();
      });
    }
    far.pipe(near);
    near.on("data", (bytes) => {
      const method = /^(GET|HEAD|POST|PATCH|DELETE) \//.exec(bytes.toString("latin1", 0, 8))?.[1];
      if (method) line.isUpload = method === "PATCH";
      far.write(bytes);
      if (!line.isUpload) return;
      left -= bytes.length;
      if (left > 0) return;
      near.pause();
      full.resolve();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    /** So many more bytes of uploads get through; then those stand still. */
    hold(bytes: number) {
      clearInterval(tick);
      left = bytes;
      full = Promise.withResolvers();
      goOn();
    },
    /** Uploads get through at so many bytes a second, as on a line in the country. */
    trickle(bytesASecond: number) {
      clearInterval(tick);
      left = 0;
      tick = setInterval(() => {
        left = bytesASecond / 10;
        goOn();
      }, 100);
    },
    /** Resolves when so many have come through, and stand still. */
    isFull: () => full.promise,
    open() {
      clearInterval(tick);
      left = Number.POSITIVE_INFINITY;
      goOn();
    },
    /** Every connection breaks, and none can be made. */
    cut() {
      isCut = true;
      for (const { near } of lines) near.resetAndDestroy();
    },
    mend() {
      isCut = false;
    },
    async close() {
      clearInterval(tick);
      isCut = true;
      for (const { near, far } of lines) {
        near.destroy();
        far.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}
