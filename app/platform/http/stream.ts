import type { Release } from "./limits.ts";
import { tooBusy } from "./plain-page.ts";

const usualLimitMs = 20 * 60_000;

/** Made while it is sent, so that memory stays flat. After an error or `limitMs` the connection
 * breaks off: a part is never taken for the whole. `end` is called once; `signal` tells of clients
 * that leave before the answer, which never read or cancel it. */
export function streamed(
  parts: AsyncIterable<string | Uint8Array>,
  { end, signal, limitMs = usualLimitMs }: { end: Release; signal?: AbortSignal; limitMs?: number },
): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let limit: NodeJS.Timeout | undefined;
  let isOver = false;
  const over = () => {
    clearTimeout(limit);
    if (!isOver) end();
    isOver = true;
  };
  // A source may refuse to close, as a zip does: do not wait for it.
  const close = () => Promise.resolve(iterator.return?.()).catch(() => {});
  return new ReadableStream<Uint8Array>(
    {
      start(stream) {
        const breakOff = (why: string) => {
          if (isOver) return;
          stream.error(new Error(why));
          over();
          void close();
        };
        const leave = () => breakOff("the client is gone");
        limit = setTimeout(() => breakOff("what was streamed was not taken in time"), limitMs);
        limit.unref();
        if (signal?.aborted) leave();
        else signal?.addEventListener("abort", leave, { once: true });
      },
      async pull(stream) {
        try {
          const { done, value } = await iterator.next();
          if (done) {
            over();
            stream.close();
          } else stream.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        } catch (error) {
          over();
          throw error;
        }
      },
      async cancel() {
        over();
        await close();
      },
    },
    { highWaterMark: 0 },
  );
}

export type StreamedPart = {
  parts: AsyncIterable<string>;
  begin: () => Release | null;
};

export const streamedHere = "<!--streamed-->";

/** Inserts the streamed part; a page without its marker, such as an error page, stays. */
export function withStreamed(
  page: string,
  { parts, begin }: StreamedPart,
  { status, headers }: Pick<Response, "status" | "headers">,
): Response {
  const [before = "", after] = page.split(streamedHere);
  if (after === undefined) return new Response(page, { status, headers });
  const end = begin();
  if (!end) return tooBusy();
  return new Response(streamed(around(before, parts, after), { end }), { status, headers });
}

async function* around(before: string, parts: AsyncIterable<string>, after: string) {
  yield before;
  yield* parts;
  yield after;
}
