/** What an MP4 writer said of its index: its bytes, and where they are. */
export type Index = { bytes: Uint8Array; at: number };

const containers = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

/** An MP4 whose index was written last, with the index first, so that it plays while it loads. Copies
 * nothing but the index: the rest are slices of the file. `from` is where the media begins.
 * @throws {RangeError} if an offset does not fit */
export function withIndexFirst(file: Blob, { bytes, at }: Index, from: number): Blob[] {
  const index = new Uint8Array(bytes);
  shiftOffsets(new DataView(index.buffer), 0, index.length, index.length);
  return [
    file.slice(0, from),
    new Blob([index]),
    file.slice(from, at),
    file.slice(at + index.length),
  ];
}

/** Chunk offsets count from the beginning of the file (ISO 14496-12, 8.7.5). */
function shiftOffsets(view: DataView, from: number, to: number, by: number): void {
  for (let start = from; start + 8 <= to; ) {
    const size = view.getUint32(start);
    const type = String.fromCharCode(...new Uint8Array(view.buffer, start + 4, 4));
    if (size < 8) return;
    const end = Math.min(start + size, to);
    if (containers.has(type)) shiftOffsets(view, start + 8, end, by);
    const wide = type === "co64";
    if (wide || type === "stco")
      for (let n = view.getUint32(start + 12), at = start + 16; n > 0; n -= 1, at += wide ? 8 : 4) {
        const shifted = wide ? view.getBigUint64(at) + BigInt(by) : view.getUint32(at) + by;
        if (typeof shifted === "bigint") view.setBigUint64(at, shifted);
        else if (shifted > 0xffff_ffff) throw new RangeError("an offset beyond 4 GiB");
        else view.setUint32(at, shifted);
      }
    start = end;
  }
}
