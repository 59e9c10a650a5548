/** What is left of a refused body is read away up to so much, and for so long. */
const mostLeftBytes = 256e6;
const patienceMs = 15_000;

/**
 * The same request, but a connection that breaks ends its body instead of making it fail: what
 * has arrived is then kept to the last byte, also where it is gathered into large pieces.
 *
 * `readAway` takes the rest of the body and drops it. Whoever is answered while still sending may
 * find the connection closed before reading the answer.
 */
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
