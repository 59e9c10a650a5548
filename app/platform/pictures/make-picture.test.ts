import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { makePicture } from "./make-picture.ts";

const recipe = { widths: [480, 960, 1600] };

/** Left half red, right half blue, upright. */
const upright = (width = 300, height = 200) => {
  const blue = { create: { width: width / 2, height, channels: 3 as const, background: "#00f" } };
  return sharp({ create: { width, height, channels: 3, background: "#f00" } }).composite([
    { input: blue, left: width / 2, top: 0 },
  ]);
};

/** How a camera turned the stored picture, by the orientation that it writes (Exif 2.32, 4.6.4). */
const ways: Record<number, [degrees: number, isMirrored: boolean]> = {
  1: [0, false],
  2: [0, true],
  3: [180, false],
  4: [180, true],
  5: [90, true],
  6: [270, false],
  7: [270, true],
  8: [90, false],
};

function chunk(type: string, data: Buffer) {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, "latin1");
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** 900 million black pixels in 110 KB. */
function bomb() {
  const side = 30_000;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1;
  const data = deflateSync(Buffer.alloc(side * (side / 8 + 1)), { level: 9 });
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const reasonOf = (bytes: Uint8Array) =>
  makePicture(bytes, recipe).then(
    () => "made",
    (error: { reason?: string }) => error.reason,
  );

describe("a picture", () => {
  test("is made at each width that is smaller, and at its own", async () => {
    const made = await makePicture(await upright(1200, 800).jpeg().toBuffer(), recipe);
    expect(made.renditions.map(({ width, height }) => [width, height])).toEqual([
      [480, 320],
      [960, 640],
      [1200, 800],
    ]);
    expect(made).toMatchObject({ width: 1200, height: 800 });
  });

  test("is never larger than the largest width, nor much taller than wide", async () => {
    const wide = await makePicture(await upright(4000, 1000).png().toBuffer(), recipe);
    expect(wide).toMatchObject({ width: 1600, height: 400 });
    const tall = await makePicture(await upright(100, 20_000).png().toBuffer(), recipe);
    expect(tall.height).toBeLessThanOrEqual(4800);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("is upright, whatever its orientation %i", async (turn) => {
    // What a camera stores: the upright picture turned the other way round, and how to turn it back.
    const { data, info } = await upright().raw().toBuffer({ resolveWithObject: true });
    const [degrees = 0, isMirrored = false] = ways[turn] ?? [];
    const turned = await sharp(data, { raw: info }).rotate(degrees).png().toBuffer();
    const pixels = sharp(turned).flop(isMirrored);
    const source = await pixels.withMetadata({ orientation: turn }).jpeg().toBuffer();
    const { width, height, renditions } = await makePicture(source, recipe);
    expect([width, height]).toEqual([300, 200]);
    const shown = await sharp(renditions[0]?.bytes).removeAlpha().raw().toBuffer();
    const at = (x: number, y: number) => [
      ...shown.subarray((y * 300 + x) * 3, (y * 300 + x) * 3 + 3),
    ];
    expect(at(20, 100)[0]).toBeGreaterThan(200);
    expect(at(280, 100)[2]).toBeGreaterThan(200);
  });

  test("has no metadata left: no place, no camera, no profile", async () => {
    const source = await upright()
      .withExif({
        IFD0: { Copyright: "Nora" },
        IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100" },
      })
      .jpeg()
      .toBuffer();
    expect((await sharp(source).metadata()).exif).toBeDefined();
    const made = await makePicture(source, { ...recipe, card: { width: 1200, height: 630 } });
    for (const { what, bytes } of made.renditions) {
      const { format, exif, xmp, iptc, icc } = await sharp(bytes).metadata();
      expect(format).toBe(what === "card" ? "jpeg" : "webp");
      expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
      expect(Buffer.from(bytes).includes("Nora")).toBe(false);
    }
  });

  test("gets a card on request, cut to its size, on paper", async () => {
    const clear = { create: { width: 90, height: 90, channels: 4 as const, background: "#0000" } };
    const source = await sharp(clear).png().toBuffer();
    const made = await makePicture(source, { ...recipe, card: { width: 1200, height: 630 } });
    const card = made.renditions.find(({ what }) => what === "card");
    expect(card).toMatchObject({ width: 1200, height: 630 });
    const [red = 0] = await sharp(card?.bytes).raw().toBuffer();
    expect(red).toBeGreaterThan(240);
  });

  test.each(["png", "webp", "avif", "gif"] as const)("may be %s", async (format) => {
    expect(await reasonOf(await upright().toFormat(format).toBuffer())).toBe("made");
  });
});

describe("a file that is refused", () => {
  test("a bomb, before it is decoded", async () => {
    const started = performance.now();
    expect(await reasonOf(bomb())).toBe("pixels");
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("more than 40 million pixels", async () => {
    const source = await upright(8000, 5100).png({ compressionLevel: 1 }).toBuffer();
    expect(await reasonOf(source)).toBe("pixels");
  });

  test("more than 20 MB", async () => {
    expect(await reasonOf(new Uint8Array(20e6 + 1))).toBe("large");
  });

  test("a JPEG and a PNG that end early", async () => {
    const { data, info } = await upright(1200, 800).raw().toBuffer({ resolveWithObject: true });
    const jpeg = await sharp(data, { raw: info }).jpeg().toBuffer();
    expect(await reasonOf(jpeg.subarray(0, jpeg.length / 2))).toBe("damaged");
    const png = await sharp(data, { raw: info }).png().toBuffer();
    expect(await reasonOf(png.subarray(0, png.length / 2))).toBe("damaged");
    expect(await reasonOf(jpeg.subarray(0, 3))).toBe("damaged");
  });

  test.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ["SVG with a declaration", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["PDF", "%PDF-1.7\n"],
    ["TIFF", "II*\0\b\0\0\0"],
    ["nothing", ""],
  ])("%s, whatever its name is", async (_, text) => {
    expect(await reasonOf(Buffer.from(text, "latin1"))).toBe("format");
  });

  test("a photograph as HEIC, with what to do instead", async () => {
    const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
    await expect(makePicture(heic, recipe)).rejects.toThrow("save or export it as a JPEG");
  });

  test("a picture that moves", async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
    const frames = [await frame("#f00"), await frame("#00f")];
    const two = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await reasonOf(two)).toBe("animated");
  });
});
