import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";

export type FileSum = { size: number; sha256: string };

export async function sumOfFile(file: string): Promise<FileSum> {
  return sumOf(createReadStream(file, { highWaterMark: 1 << 20 }));
}

export async function sumOf(pieces: AsyncIterable<Uint8Array>): Promise<FileSum> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    size += piece.length;
  }
  return { size, sha256: hash.digest("hex") };
}

/** Writes and flushes a file that only its owner can read. */
export async function writeFileForGood(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<FileSum> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, "wx", 0o600);
  try {
    async function* written() {
      for await (const piece of pieces) {
        await handle.writeFile(piece);
        yield piece;
      }
    }
    const sum = await sumOf(written());
    await handle.sync();
    return sum;
  } finally {
    await handle.close();
  }
}

export async function* ofText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export async function flush(name: string): Promise<void> {
  const handle = await open(name, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
