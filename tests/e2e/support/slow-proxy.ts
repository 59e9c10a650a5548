import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The site behind a connection on which some requests get no answer until `answer()` is called.
 * Everything else goes through, with the proxy's address as the Host header.
 */
export async function behindSlowProxy(siteUrl: string, isSlow: (path: string) => boolean) {
  const { hostname, port } = new URL(siteUrl);
  const held: (() => Promise<void>)[] = [];
  const proxy = http.createServer((incoming, outgoing: ServerResponse) => {
    const { url = "", method, headers } = incoming;
    const onward = async () => {
      const request = http.request({ hostname, port, path: url, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      request.on("error", () => outgoing.destroy());
      incoming.pipe(request);
      await once(outgoing, "close");
    };
    if (method === "POST" && isSlow(url)) held.push(onward);
    else void onward();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port: own } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    /** How many wait for an answer. */
    waiting: () => held.length,
    /** Lets them through, and waits until they have their answers. */
    answer: () => Promise.all(held.splice(0).map((onward) => onward())),
    close: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
