import { Refused } from "../utils/errors.ts";

/** In bytes; a photograph of a phone has 2 to 12 MB. */
export const maxPictureBytes = 20e6;
/** Decoded, a pixel takes four bytes and more. */
export const maxPixels = 40e6;
// AVIF is decoded whole, at twenty bytes a pixel.
export const maxAvifPixels = 16e6;

/** What to make: WebP files of these widths in pixels, and on request a JPEG cut to `card` and one of
 * `email` pixels in width. */
export type Recipe = {
  widths: readonly number[];
  card?: { width: number; height: number };
  email?: number;
};

export type PictureFile = {
  what: "width" | "card" | "email";
  width: number;
  height: number;
  bytes: Uint8Array;
};

/** Upright, in sRGB, without metadata. `width` and `height` are of the largest rendition. */
export type MadePicture = { width: number; height: number; renditions: PictureFile[] };

const sentences = {
  large: "This picture is larger than 20 MB. Please make it smaller first.",
  pixels: "This picture has more than 40 million pixels. Please make it smaller first.",
  format: "This is not a picture that can be shown here. Use a JPEG, PNG, WebP, AVIF or GIF.",
  heic: "This is a photograph in the format HEIC, which most browsers cannot show. Please save or export it as a JPEG first. On an iPhone, choosing it in Safari does that by itself.",
  animated: "This picture moves. Please use one that stands still.",
  damaged: "This picture is damaged or incomplete. Please save it once more, or use another one.",
  slow: "This picture takes too much work to be made smaller. Please save it as a JPEG, or use another one.",
  busy: "Other pictures are being prepared just now, and this one was not. Please try again in a moment.",
  absent: "Pictures cannot be prepared on this machine: sharp is not installed.",
};

export type Refusal = keyof typeof sentences;

export class PictureRefused extends Refused {
  readonly reason: Refusal;
  constructor(reason: Refusal) {
    const code = reason === "busy" || reason === "absent" ? "unavailable" : "invalid";
    super(reason === "large" ? "too_large" : code, sentences[reason]);
    this.reason = reason;
  }
}

/** By its first bytes, never by its name: text such as SVG and HTML is no picture here. */
export function refusalByBytes(bytes: Uint8Array): Refusal | null {
  if (bytes.length > maxPictureBytes) return "large";
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(64, bytes.length));
  const starts = (text: string, at = 0) => head.toString("latin1", at, at + text.length) === text;
  if (starts("\xff\xd8\xff") || starts("\x89PNG\r\n\x1a\n") || starts("GIF8")) return null;
  if (starts("RIFF") && starts("WEBP", 8)) return null;
  if (!starts("ftyp", 4)) return "format";
  const brands = head.toString("latin1", 8, Math.min(head.readUInt32BE(0), head.length));
  if (/avif/.test(brands)) return "avis" === brands.slice(0, 4) ? "animated" : null;
  return /hei[cxms]|hev[cxms]|mif1|msf1/.test(brands) ? "heic" : "format";
}
