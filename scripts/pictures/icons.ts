import sharp from "sharp";
import { themeColor } from "../../app/ui/theme.ts";

const dot = "#2463a8";

type Icon = { name: string; size: number; svg: string };

/** The dot on a square of 100; `radius` is the dot's, `corner` rounds the paper under it. */
function drawn(radius: number, paper?: { corner: number }): string {
  const sheet = paper
    ? `<rect width="100" height="100" rx="${paper.corner}" fill="${themeColor.light}"/>`
    : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${sheet}<circle cx="50" cy="50" r="${radius}" fill="${dot}"/></svg>`;
}

/**
 * Beside public/favicon.svg, which knows night: for browsers that want pixels, and for the home
 * screens of phones. What is maskable keeps the dot within the circle that every mask leaves.
 */
export const icons: Icon[] = [
  { name: "apple-touch-icon", size: 180, svg: drawn(30, { corner: 0 }) },
  { name: "icon-192", size: 192, svg: drawn(30, { corner: 22 }) },
  { name: "icon-512", size: 512, svg: drawn(30, { corner: 22 }) },
  { name: "icon-maskable-512", size: 512, svg: drawn(24, { corner: 0 }) },
];

/** The sizes in favicon.ico. */
export const small = [
  { size: 32, svg: drawn(40) },
  { size: 16, svg: drawn(40) },
] as const;

export async function drawIcon({ svg, size }: { svg: string; size: number }): Promise<Buffer> {
  const drawing = sharp(Buffer.from(svg.replace("<svg ", `<svg width="${size}" `)));
  return drawing.png({ palette: true, quality: 100, dither: 0, effort: 10 }).toBuffer();
}

/** favicon.ico: pictures of several sizes in one file, each a PNG. */
export function icoFile(pictures: { size: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    header.set([size & 255, size & 255, 0, 0], at);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}
