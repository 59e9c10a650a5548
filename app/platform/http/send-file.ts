import { read } from "node:fs";
import type { ServerResponse } from "node:http";
import type { LentFile } from "../storage/open-files.ts";
import type { OpenFile } from "../storage/storage.ts";

const tags = /(?:W\/)?("[^"]*")/g;

/** RFC 9110, 13.1.2. A cache may have made the tag weak, which is good enough for reading. */
export function matchesTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  if (!ifNoneMatch) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === "*") return true;
  for (const [, named] of ifNoneMatch.matchAll(tags)) if (named === tag) return true;
  return false;
}

/** Bytes from `start` to `end`, both included. */
export type Range = { start: number; end: number };

/** RFC 9110, 14.2. Null sends the whole file, as a server may do for several ranges. */
export function parseRange(header: string | null, size: number): Range | null | "unsatisfiable" {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (!match || (first === "" && last === "")) return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

const pieceBytes = 512 * 1024;
const pool: Buffer[] = [];

/** Sends pooled pieces: memory stays flat with any number of clients. Gives the file back. */
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

/** As {@link sendFile}, from wherever it is stored. Closes the file. */
export async function sendStored(
  outgoing: ServerResponse,
  file: OpenFile,
  { start, end }: Range,
): Promise<void> {
  try {
    for (let position = start; position <= end && !outgoing.destroyed; ) {
      const piece = await file.read(position, Math.min(pieceBytes, end - position + 1));
      if (piece.length === 0) throw new Error("the file became shorter while it was being sent");
      position += piece.length;
      await written(outgoing, piece);
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error as Error);
  } finally {
    await file.close();
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

// Cheaper than node:fs/promises, which matters at this rate.
function bytesRead(fd: number, piece: Buffer, wanted: number, position: number): Promise<number> {
  return new Promise((resolve, reject) =>
    read(fd, piece, 0, wanted, position, (error, length) =>
      error ? reject(error) : resolve(length),
    ),
  );
}

// Resolves when the buffer can be used again, or the client has gone.
function written(out: ServerResponse, bytes: Uint8Array): Promise<void> {
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
