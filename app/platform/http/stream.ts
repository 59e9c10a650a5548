import type { End } from "./at-once.ts";
import { tooBusy } from "./plain-page.ts";

/** How long somebody may take over what is streamed to them, in milliseconds. */
const usualLimitMs = 20 * 60_000;

/**
 * A body that is made while it is taken: a part is made when the one before has gone out, so that
 * memory stays flat however long it is. Half of it is never taken for the whole: where something
 * goes wrong, or it takes longer than `limitMs`, the connection breaks off.
 * @param end is called once, however it ends
 * @param signal of the request: who is gone before the answer was begun never takes or cancels it
 */
export function streamed(
  parts: AsyncIterable<string | Uint8Array>,
  { end, signal, limitMs = usualLimitMs }: { end: End; signal?: AbortSignal; limitMs?: number },
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
  // A source may refuse to be closed, as a zip does: nobody waits for it, and it is over all the same.
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
        const leave = () => breakOff("whoever asked for what is streamed is gone");
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

/** HTML that is made while the page is sent. */
export type StreamedPart = {
  parts: AsyncIterable<string>;
  /** Takes a place for the sending; null while there is none. */
  begin: () => End | null;
};

/** Where the part stands in the page: a component sets this as its inner HTML. */
export const streamedHere = "<!--streamed-->";

/** A rendered page with its streamed part; a page that has no place for it, one of an error, as it is. */
export function withStreamed(
  page: Buffer<ArrayBuffer>,
  { parts, begin }: StreamedPart,
  init: ResponseInit,
): Response {
  const at = page.indexOf(streamedHere);
  if (at < 0) return new Response(page, init);
  const end = begin();
  if (!end) return tooBusy();
  return new Response(streamed(around(page, at, parts), { end }), init);
}

async function* around(page: Buffer, at: number, parts: AsyncIterable<string>) {
  yield page.subarray(0, at);
  yield* parts;
  yield page.subarray(at + streamedHere.length);
}
