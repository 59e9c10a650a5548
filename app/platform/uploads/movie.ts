import type { Pieces } from "./pieces.ts";

type Box = { body: number; end: number };

/** Reads the structure of an MP4 or QuickTime file. Null if truncated or without an index: it
 * cannot be played. */
export async function readMovie(file: Pieces): Promise<{ durationMs: number | null } | null> {
  const top = await walk(file, 0, file.fileInfo.size, "moov");
  if (!top?.found) return null;
  const inside = await walk(file, top.found.body, top.found.end, "mvhd");
  return inside?.found ? { durationMs: await durationIn(file, inside.found) } : null;
}

async function walk(
  file: Pieces,
  from: number,
  to: number,
  wanted: string,
): Promise<{ found: Box | null } | null> {
  let found: Box | null = null;
  // A few padding bytes after the last box are harmless.
  for (let start = from; to - start >= 8; ) {
    const head = new Uint8Array(16);
    await file.peekBuffer(head, { position: start, mayBeLess: true });
    const view = new DataView(head.buffer);
    const size = view.getUint32(0);
    const long = size === 1;
    const length = long ? Number(view.getBigUint64(8)) : size === 0 ? to - start : size;
    const body = start + (long ? 16 : 8);
    const end = start + length;
    if (end > to || end < body) return null;
    if (String.fromCharCode(...head.subarray(4, 8)) === wanted) found ??= { body, end };
    start = end;
  }
  return { found };
}

/** ISO 14496-12, 8.2.2: version 1 has longer times. */
async function durationIn(file: Pieces, { body }: Box): Promise<number | null> {
  const head = new Uint8Array(32);
  await file.peekBuffer(head, { position: body });
  const view = new DataView(head.buffer);
  const long = view.getUint8(0) === 1;
  const scale = view.getUint32(long ? 20 : 12);
  const duration = long ? Number(view.getBigUint64(24)) : view.getUint32(16);
  return scale > 0 && duration > 0 ? (duration / scale) * 1000 : null;
}
