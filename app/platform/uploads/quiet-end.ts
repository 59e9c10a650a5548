const mostLeftBytes = 256e6;
const patienceMs = 15_000;

/** The same request, but a broken connection ends its body instead of failing it, so that all bytes
 * that arrived are stored. `readAway` drops the rest of the body: a client that is answered while
 * sending may find the connection closed before it reads the answer. */
export function endingQuietly(request: Request): {
  request: Request;
  readAway(): Promise<void>;
} {
  const body = request.body;
  if (!body) return { request, readAway: async () => {} };
  const reader = body.getReader();
  const next = () => reader.read().catch(() => ({ done: true, value: undefined }) as const);
  const quiet = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const { url, method, headers } = request;
  const init: RequestInit & { duplex: "half" } = { method, headers, body: quiet, duplex: "half" };
  return {
    request: new Request(url, init),
    async readAway() {
      const { promise: enough, resolve } = Promise.withResolvers<{
        done: true;
        value: undefined;
      }>();
      const timer = setTimeout(resolve, patienceMs, { done: true, value: undefined });
      for (let left = mostLeftBytes; left > 0; ) {
        const { done, value } = await Promise.race([next(), enough]);
        if (done) break;
        left -= value.length;
      }
      clearTimeout(timer);
    },
  };
}
