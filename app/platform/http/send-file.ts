import { read } from "node:fs";
import type { ServerResponse } from "node:http";
import type { LentFile } from "../storage/open-files.ts";
import type { Range } from "./range.ts";

const pieceBytes = 512 * 1024;
const pool: Buffer[] = [];

/**
 * Writes a part of an open file to a socket, one pooled piece at a time: memory stays flat
 * however many listen, and a slow reader only slows her own transfer. Gives the file back.
 */
export async function sendFile(
  outgoing: ServerResponse,
  file: LentFile,
  range: Range,
): Promise<void> {
  const piece = pool.pop() ?? Buffer.allocUnsafeSlow(pieceBytes);
  try {
    await copyRange(file.fd, outgoing, range, piece);
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error as Error);
  } finally {
    if (pool.length < 32) pool.push(piece);
    file.giveBack();
  }
}

async function copyRange(fd: number, out: ServerResponse, range: Range, piece: Buffer) {
  let position = range.start;
  while (position <= range.end && !out.destroyed) {
    const wanted = Math.min(pieceBytes, range.end - position + 1);
    const length = await bytesRead(fd, piece, wanted, position);
    if (length === 0) throw new Error("the file became shorter while it was being sent");
    position += length;
    await written(out, piece.subarray(0, length));
  }
}

/** Cheaper than what node:fs/promises does, which counts at this rate. */
function bytesRead(fd: number, piece: Buffer, wanted: number, position: number): Promise<number> {
  return new Promise((resolve, reject) =>
    read(fd, piece, 0, wanted, position, (error, length) =>
      error ? reject(error) : resolve(length),
    ),
  );
}

/** Resolves when the bytes have left the buffer, so that it can be used again, or the reader has gone. */
function written(out: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (out.destroyed) return resolve();
    const done = () => {
      out.off("close", done);
      resolve();
    };
    out.once("close", done);
    out.write(bytes, done);
  });
}
