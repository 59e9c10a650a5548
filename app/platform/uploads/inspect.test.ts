import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { OpenFile } from "../storage/storage.ts";
import { inspect } from "./inspect.ts";
import { ReadFailed } from "./pieces.ts";

const film = readFileSync(path.join(import.meta.dirname, "../../../tests/support/media/film.mp4"));

function fileOf(bytes: Uint8Array, size = bytes.length): OpenFile {
  return {
    size,
    read: async (offset, length) => {
      const piece = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      piece.set(bytes.subarray(offset, offset + piece.length));
      return piece;
    },
    close: async () => {},
  };
}

/** The film, and behind it so many fragments of 70,000 bytes, of which only the heads are there. */
function fragmented(count: number, cut = 0): OpenFile {
  const fragment = Buffer.alloc(116);
  fragment.writeUInt32BE(108, 0);
  fragment.write("moof", 4, "latin1");
  fragment.writeUInt32BE(70_000 - 108, 108);
  fragment.write("mdat", 112, "latin1");
  const size = film.length + count * 70_000 - cut;
  return {
    size,
    read: async (offset, length) => {
      const piece = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      piece.set(film.subarray(offset, offset + piece.length));
      const first = Math.max(0, Math.floor((offset - film.length) / 70_000));
      for (let n = first; n < count; n += 1) {
        const at = film.length + n * 70_000 - offset;
        if (at >= piece.length) break;
        for (let i = Math.max(0, -at); i < fragment.length && at + i < piece.length; i += 1)
          piece[at + i] = fragment[i] ?? 0;
      }
      return piece;
    },
    close: async () => {},
  };
}

describe("inspect: a video of thousands of fragments", () => {
  test("is whole", async () => {
    const found = await inspect(fragmented(3000));
    expect(found).toMatchObject({ extension: "mp4", broken: false, tracks: { video: true } });
  });

  test("is broken where the last one is cut off", async () => {
    expect(await inspect(fragmented(3000, 1))).toMatchObject({ broken: true });
  });

  test("is not called broken when there are too many to look at", async () => {
    const found = await inspect(fragmented(40_000));
    expect(found).toMatchObject({ extension: "mp4", broken: false });
  });
});

describe("inspect: a file that cannot be read now", () => {
  const readsOf = async (file: OpenFile) => {
    let reads = 0;
    const read: OpenFile["read"] = (offset, length) => {
      reads += 1;
      return file.read(offset, length);
    };
    await inspect({ ...file, read });
    return reads;
  };

  test("throws ReadFailed, whichever read fails", async () => {
    const file = fileOf(film);
    const count = await readsOf(file);
    expect(count).toBeGreaterThan(2);
    for (let failing = 1; failing <= count; failing += 1) {
      let reads = 0;
      const read: OpenFile["read"] = async (offset, length) => {
        reads += 1;
        if (reads === failing) throw new Error("ECONNRESET");
        return file.read(offset, length);
      };
      await expect(inspect({ ...file, read })).rejects.toThrow(ReadFailed);
    }
  });

  test("throws ReadFailed when a read gives fewer bytes", async () => {
    const { read, ...file } = fileOf(film);
    const short: OpenFile["read"] = async (offset, length) =>
      (await read(offset, length)).subarray(0, 100);
    await expect(inspect({ ...file, read: short })).rejects.toThrow(ReadFailed);
  });
});
