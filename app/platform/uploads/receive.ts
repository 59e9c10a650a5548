import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { orNoRoom } from "./bytes.ts";

/** A file that has arrived, for as long as it is used. */
export type ReceivedFile = { path: string; size: number; sha256: string };

/** More bytes than are taken, or the sender went away before the last one. */
export class NotReceived extends Error {
  readonly reason: "too_large" | "cut_off";
  constructor(reason: "too_large" | "cut_off", cause?: unknown) {
    super(`the file was not received: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Writes a body to a temporary file as it comes, and never holds it in memory: at most `max` bytes,
 * and `announced` ones where that is known. The file is deleted after its use.
 * @throws {NotReceived} @throws {NoRoom} */
export async function receiveFile<T>(
  body: AsyncIterable<Uint8Array>,
  { max, announced }: { max: number; announced: number | null },
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "site-"));
  const target = path.join(folder, "bytes");
  const hash = createHash("sha256");
  let size = 0;

  async function* counted() {
    try {
      for await (const piece of body) {
        size += piece.byteLength;
        if (size > max) throw new NotReceived("too_large");
        hash.update(piece);
        yield piece;
      }
    } catch (error) {
      throw error instanceof NotReceived ? error : new NotReceived("cut_off", error);
    }
    if (announced !== null && size < announced) throw new NotReceived("cut_off");
  }

  try {
    await orNoRoom(pipeline(counted, createWriteStream(target)));
    return await use({ path: target, size, sha256: hash.digest("hex") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
