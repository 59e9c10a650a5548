import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Pixels as they come: red, green, blue, opacity, a byte each, row by row. */
export type Pixels = { width: number; height: number; rgba: Uint8Array };

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function* chunksOf(png: Buffer) {
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield {
      kind: png.toString("latin1", at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    };
    at += 12 + length;
  }
}

/** Reads what Chromium's screenshots are: 8 bits a channel, not interlaced. */
export function readPng(png: Buffer): Pixels {
  const header = [...chunksOf(png)].find(({ kind }) => kind === "IHDR")?.data;
  if (!header) throw new Error("not a PNG");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const size = { 2: 3, 6: 4 }[header[9] ?? 0];
  if (header[8] !== 8 || !size || header[12]) throw new Error("a PNG of a kind that is not read");
  const parts = [...chunksOf(png)].filter(({ kind }) => kind === "IDAT").map(({ data }) => data);
  const rows = unfiltered(inflateSync(Buffer.concat(parts)), width * size, height, size);
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let channel = 0; channel < size; channel++)
      rgba[pixel * 4 + channel] = rows[pixel * size + channel] ?? 0;
  return { width, height, rgba };
}

/** Undoes the filter of each row (PNG specification, 9.2). */
function unfiltered(data: Buffer, stride: number, height: number, size: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const left = x < size ? 0 : (out[y * stride + x - size] ?? 0);
      const up = y === 0 ? 0 : (out[(y - 1) * stride + x] ?? 0);
      const corner = x < size || y === 0 ? 0 : (out[(y - 1) * stride + x - size] ?? 0);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[y * stride + x] = (data[y * (stride + 1) + 1 + x] ?? 0) + predicted;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Size of a PNG, and the mark in it. */
export function aboutPng(png: Buffer): { width: number; height: number; mark: string | null } {
  const note = [...chunksOf(png)].find(({ kind }) => kind === "tEXt")?.data.toString("latin1");
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    mark: note?.split("\0")[1] ?? null,
  };
}

/**
 * A PNG of 256 colours at most, with a mark in it that is not shown. Our drawings lose nothing
 * that can be seen by it (no channel of any pixel by more than 12 of 255), and come out at a
 * fifth of the size.
 */
export function palettePng({ width, height, rgba }: Pixels, { mark = "" } = {}): Buffer {
  const { palette, indexOf } = quantised(rgba, 256);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = indexOf(keyAt(rgba, y * width + x));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const isClear = palette.some(([, , , opacity]) => opacity < 255);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    ...(mark ? [chunk("tEXt", Buffer.from(`Source\0${mark}`, "latin1"))] : []),
    chunk("PLTE", Buffer.from(palette.flatMap((colour) => colour.slice(0, 3)))),
    ...(isClear ? [chunk("tRNS", Buffer.from(palette.map(([, , , opacity]) => opacity)))] : []),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

type Colour = [number, number, number, number];
type Counted = { key: number; colour: Colour; count: number };

const keyAt = (rgba: Uint8Array, pixel: number) =>
  new DataView(rgba.buffer, rgba.byteOffset).getUint32(pixel * 4);

/** Median cut: halves the box with the widest spread until there are enough. */
function quantised(rgba: Uint8Array, colours: number) {
  const counts = new Map<number, number>();
  for (let pixel = 0; pixel < rgba.length / 4; pixel++) {
    const key = keyAt(rgba, pixel);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const boxes = [[...counts].map(([key, count]) => ({ key, count, colour: colourOf(key) }))];
  while (boxes.length < colours) {
    const widest = boxes
      .map(spread)
      .reduce(
        (best, one, index, all) => (one.weight > (all[best.index]?.weight ?? 0) ? { index } : best),
        { index: 0 },
      );
    const box = boxes[widest.index] ?? [];
    const { channel, weight } = spread(box);
    if (weight === 0) break;
    boxes.splice(widest.index, 1, ...halves(box, channel));
  }
  const place = new Map(boxes.flatMap((box, index) => box.map(({ key }) => [key, index] as const)));
  return { palette: boxes.map(middle), indexOf: (key: number) => place.get(key) ?? 0 };
}

const colourOf = (key: number): Colour => [
  key >>> 24,
  (key >>> 16) & 255,
  (key >>> 8) & 255,
  key & 255,
];

/** Along which channel the colours of a box lie furthest apart, and how much that matters. */
function spread(box: Counted[]): { channel: number; weight: number } {
  let [channel, widest] = [0, 0];
  for (const each of [0, 1, 2, 3]) {
    const values = box.map(({ colour }) => colour[each] ?? 0);
    const width = Math.max(...values) - Math.min(...values);
    if (width > widest) [channel, widest] = [each, width];
  }
  const pixels = box.reduce((sum, { count }) => sum + count, 0);
  return { channel, weight: widest ** 2 * Math.sqrt(pixels) };
}

function halves(box: Counted[], channel: number): [Counted[], Counted[]] {
  const sorted = [...box].sort((a, b) => (a.colour[channel] ?? 0) - (b.colour[channel] ?? 0));
  const low = sorted[0]?.colour[channel] ?? 0;
  const high = sorted.at(-1)?.colour[channel] ?? 0;
  const cut = sorted.findIndex(({ colour }) => (colour[channel] ?? 0) > (low + high) / 2);
  return [sorted.slice(0, cut), sorted.slice(cut)];
}

/** The colour of a box: the one that most of its pixels have, so that flat areas stay true. */
function middle(box: Counted[]): Colour {
  return box.reduce((most, one) => (one.count > most.count ? one : most)).colour;
}
