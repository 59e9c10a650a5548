/**
 * The bytes of a stream, after those that were there before, in pieces of exactly `size`; the
 * last one may be smaller. One piece at a time is in memory.
 */
export async function* gathered(
  source: AsyncIterable<Uint8Array>,
  before: Uint8Array,
  size: number,
): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (let bytes of following(before, source)) {
    while (bytes.length > 0) {
      const taken = Math.min(bytes.length, size - filled);
      piece.set(bytes.subarray(0, taken), filled);
      filled += taken;
      bytes = bytes.subarray(taken);
      if (filled < size) continue;
      yield piece;
      piece = Buffer.allocUnsafeSlow(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

async function* following(before: Uint8Array, source: AsyncIterable<Uint8Array>) {
  yield before;
  yield* source;
}
