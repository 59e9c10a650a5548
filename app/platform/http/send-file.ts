import { type FileHandle, open } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import type { Range } from "./range.ts";

const pieceBytes = 256 * 1024;
const pool: Buffer[] = [];

/**
 * Writes a part of a file to a socket, one pooled piece at a time: memory stays flat
 * however many listen, and a slow reader only slows her own transfer.
 */
export async function sendFile(
  outgoing: ServerResponse,
  file: string,
  range: Range,
): Promise<void> {
  const handle = await open(file);
  const piece = pool.pop() ?? Buffer.allocUnsafeSlow(pieceBytes);
  try {
    await copyRange(handle, outgoing, range, piece);
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error as Error);
  } finally {
    if (pool.length < 64) pool.push(piece);
    await handle.close();
  }
}

async function copyRange(handle: FileHandle, out: ServerResponse, range: Range, piece: Buffer) {
  let position = range.start;
  while (position <= range.end && !out.destroyed) {
    const wanted = Math.min(pieceBytes, range.end - position + 1);
    const { bytesRead } = await handle.read(piece, 0, wanted, position);
    if (bytesRead === 0) throw new Error("the file became shorter while it was being sent");
    position += bytesRead;
    await written(out, piece.subarray(0, bytesRead));
  }
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
