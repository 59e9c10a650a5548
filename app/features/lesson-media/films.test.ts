import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readFilmFacts } from "./film-facts.server.ts";
import { type Film, filmFault, filmInWords } from "./films.ts";

const media = path.join(import.meta.dirname, "../../../tests/support/media");

/** A file of `size` bytes, of which only the beginning is not zero. @returns it, and what was read */
function opened(bytes: Uint8Array, size = bytes.length) {
  const read = { count: 0, bytes: 0 };
  const file = {
    size,
    async read(offset: number, length: number) {
      const piece = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      piece.set(bytes.subarray(offset, offset + piece.length));
      read.count += 1;
      read.bytes += piece.length;
      return piece;
    },
    close: async () => {},
  };
  return { file, read };
}

describe("readFilmFacts and what is said of them", () => {
  test.each([
    ["hevc.mov", "HEVC video, 180p", "picture"],
    ["prores.mov", "ProRes video, 90p", "picture"],
    ["vp9.webm", "VP9 video, 180p", null],
    ["av1.mp4", "AV1 video, 180p", null],
    ["uhd.mp4", "H.264 video, 4K", "size"],
    ["rotated.mov", "H.264 video, 180p, upright, without sound", null],
    ["uneven.mp4", "H.264 video, 180p, without sound", null],
    ["film.webm", "VP8 video, 36p", null],
    ["film.mp4", "H.264 video, 36p", null],
    // H.264 with all of the colours: no phone decodes it.
    ["film.m4v", "H.264 video, 36p", "picture"],
  ])("%s: %s", async (name, words, fault) => {
    const facts = await readFilmFacts(opened(readFileSync(path.join(media, name))).file);
    const film: Film = { ...facts, size: null, durationMs: null } as Film;
    expect(filmInWords(film)).toBe(words);
    expect(filmFault(film)).toBe(fault);
  });

  test("a film that ends early says what its beginning says, and noise says nothing", async () => {
    const film = readFileSync(path.join(media, "uneven.mp4"));
    expect(await readFilmFacts(opened(film.subarray(0, 1200)).file)).toMatchObject({ height: 180 });
    expect(await readFilmFacts(opened(film.subarray(0, 600)).file)).toMatchObject({ height: null });
    expect(await readFilmFacts(opened(Buffer.alloc(5000, 7)).file)).toBeNull();
  });

  test("the cost does not grow with the film", async () => {
    const film = readFileSync(path.join(media, "uneven.mp4"));
    const costs = [1e6, 4e6, 16e6].map(async (size) => {
      const { file, read } = opened(film, size);
      expect(await readFilmFacts(file)).toMatchObject({ height: 180 });
      return read.bytes;
    });
    const [first, ...others] = await Promise.all(costs);
    expect(others).toEqual([first, first]);
  });
});

describe("filmFault", () => {
  const plain = { videoCodec: "avc1.640028", audioCodec: "mp4a.40.2", width: 1920, height: 1080 };
  const minute = { durationMs: 60_000 };
  test.each<[string, Partial<Film>, string | null]>([
    ["nothing known", { videoCodec: null }, null],
    ["H.264 and AAC", {}, null],
    ["upright", { width: 1080, height: 1920 }, null],
    ["8 Mbit/s", { size: 60e6 }, null],
    ["more than 8 Mbit/s", { size: 61e6 }, "size"],
    ["much of a short one", { size: 29e6, durationMs: 1000 }, null],
    ["1440p", { width: 2560, height: 1440 }, "size"],
    ["ten bits of H.264", { videoCodec: "avc1.6e0028" }, "picture"],
    ["ten bits of VP9", { videoCodec: "vp09.02.10.10" }, "picture"],
    ["AV1", { videoCodec: "av01.0.08M.08" }, null],
    ["Dolby Vision", { videoCodec: "dvh1.05.06" }, "picture"],
    ["sound of a recorder", { audioCodec: "pcm-s16" }, "sound"],
    ["no sound", { audioCodec: null }, null],
  ])("%s", (_, change, fault) => {
    expect(filmFault({ ...plain, ...minute, size: 1e6, ...change })).toBe(fault);
  });
});
