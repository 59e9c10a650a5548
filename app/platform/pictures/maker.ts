import { buffer } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import {
  type MadePicture,
  maxAvifPixels,
  maxPixels,
  type PictureFile,
  type Recipe,
  type Refusal,
} from "./picture.ts";

/* A process of its own for each picture (make-picture.ts), as a file of its own in the build: the
 * picture is read from standard input, and what was made of it is written to standard output. */

sharp.cache(false);
sharp.concurrency(1);
// libvips chooses a loader by the bytes, and has some for documents and drawings.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}`),
});

const quality = { quality: 80, effort: 4 };
// JPEG has no transparency: the paper of the site is behind it.
const paper = "#fbf8f3";
const jpeg = { quality: 82, mozjpeg: true };
const tallest = 3;

const options = { limitInputPixels: maxPixels, failOn: "error" } as const;

async function refusalByHead(source: Buffer): Promise<Refusal | null> {
  try {
    const { width, height, pages = 1, format } = await sharp(source, options).metadata();
    if (width * height > (format === "heif" ? maxAvifPixels : maxPixels)) return "pixels";
    return pages > 1 ? "animated" : null;
  } catch (error) {
    return /pixel limit/.test(String(error)) ? "pixels" : "damaged";
  }
}

/** Decodes once, at the largest width; the others are made of that. */
async function make(source: Buffer, { widths, card, email }: Recipe): Promise<MadePicture> {
  const most = Math.max(...widths);
  const { data, info } = await sharp(source, options)
    .autoOrient()
    .resize({ width: most, height: most * tallest, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  const renditions: PictureFile[] = [];
  const add = async (what: PictureFile["what"], made: Sharp) => {
    const { data: bytes, info: of } = await made.toBuffer({ resolveWithObject: true });
    renditions.push({ what, width: of.width, height: of.height, bytes });
  };
  const smaller = widths.filter((one) => one < width).toSorted((a, b) => a - b);
  for (const one of [...smaller, width])
    await add("width", pixels().resize({ width: one }).webp(quality));
  if (card) {
    const cut = sharp(source, options)
      .autoOrient()
      .resize({ ...card, fit: "cover" });
    await add("card", cut.flatten({ background: paper }).jpeg(jpeg));
  }
  if (email) {
    const fit = pixels().resize({ width: email, withoutEnlargement: true });
    await add("email", fit.flatten({ background: paper }).jpeg(jpeg));
  }
  return { width, height, renditions };
}

function write(answer: object, parts: readonly Uint8Array[] = []) {
  const head = Buffer.from(JSON.stringify(answer));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  process.stdout.write(Buffer.concat([length, head, ...parts]));
}

const source = await buffer(process.stdin);
const refusal = await refusalByHead(source);
if (refusal) write({ refusal });
else
  try {
    const made = await make(source, JSON.parse(process.argv[2] ?? "{}") as Recipe);
    const lengths = made.renditions.map(({ bytes, ...about }) => ({
      ...about,
      length: bytes.length,
    }));
    write(
      { ...made, renditions: lengths },
      made.renditions.map(({ bytes }) => bytes),
    );
  } catch (error) {
    write({ refusal: "damaged", because: String(error) });
  }
