import { crc32 } from "node:zlib";

/** Where the first chunk ends: what says the size comes first. */
const afterHeader = 33;

export const isPng = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 8)).toString("latin1") === "\x89PNG\r\n\x1a\n";

/** With a note in it that is not shown: which words it was drawn from. */
export function withMark(png: Buffer, mark: string): Buffer {
  const body = Buffer.from(`tEXtSource\0${mark}`, "latin1");
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}

/** The size of a PNG in pixels, and the mark in it. */
export function aboutPng(png: Buffer): { width: number; height: number; mark: string | null } {
  let mark: string | null = null;
  for (let at = 8; at < png.length && mark === null; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "tEXt")
      mark = png.toString("latin1", at + 8, at + 8 + length).split("\0")[1] ?? null;
    at += 12 + length;
  }
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), mark };
}
