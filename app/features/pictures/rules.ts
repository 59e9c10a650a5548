import { longestAlt } from "./messages.ts";

/** A picture for an `<img>`: its addresses by width, and its largest size in pixels. */
export type ImageSource = { src: string; srcSet: string; width: number; height: number };

export type PictureFacts = {
  id: string;
  hash: string;
  lessonId: string | null;
  width: number;
  height: number;
  widths: number[];
  /** Whether there is a JPEG of it for emails. */
  forEmail: boolean;
};

/** What a page needs of a public picture: `card` is its address for sharing, as JPEG. */
export type PublicPicture = ImageSource & { card: string; alt: string };

const middle = (widths: readonly number[]) => widths[Math.min(1, widths.length - 1)] ?? 0;

function sourceOf({ widths, width, height }: PictureFacts, address: (width: number) => string) {
  const srcSet = widths.map((one) => `${address(one)} ${one}w`).join(", ");
  return { src: address(middle(widths)), srcSet, width, height };
}

/** Cached for good: another picture has another hash. */
export function publicPicture(picture: PictureFacts, alt: string): PublicPicture {
  const { hash } = picture;
  const source = sourceOf(picture, (width) => `/pictures/${hash}-${width}.webp`);
  return { ...source, card: `/pictures/${hash}-card.jpg`, alt };
}

/** In the column of an email, which is 560 pixels wide at most. */
export function emailPicture(picture: PictureFacts, origin: string) {
  const { hash, forEmail, width, height } = picture;
  const path = forEmail ? `/pictures/${hash}-email.jpg` : publicPicture(picture, "").src;
  const shown = Math.min(width, 528);
  return { src: origin + path, width: shown, height: Math.round((height * shown) / width) };
}

/** Each address asks who may see the picture (features/player/lesson-pictures.server.ts). */
export function lessonPicture(picture: PictureFacts): ImageSource {
  if (picture.lessonId === null) return publicPicture(picture, "");
  return sourceOf(picture, (width) => lessonPicturePath(picture.id, width));
}

export function lessonPicturePath(id: string, width: number): string {
  return `/lesson-pictures/${id}-${width}.webp`;
}

/** A `<video>` takes one address and no choice of widths. */
export function posterPath(id: string, widths: readonly number[] | null): string {
  return lessonPicturePath(id, middle(widths ?? []));
}

const id = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";

/** The pictures that a Markdown text names, each once: `![alt](picture:ID)`. */
export function picturesIn(markdown: string): string[] {
  const found = markdown.matchAll(new RegExp(`\\bpicture:(${id})`, "g"));
  return [...new Set([...found].map(([, name = ""]) => name))];
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A text between the brackets of Markdown. */
export function inBrackets(alt: string): string {
  return oneLine(alt).replace(/[\\[\]]/g, "\\$&");
}

export function pictureLine(pictureId: string, alt = ""): string {
  return `![${inBrackets(alt)}](picture:${pictureId})`;
}

// Ends at the next bracket, so that a text of nothing but brackets is read once.
const altPattern = `(?:[^\\[\\]\\\\\\n]|\\\\.){0,${longestAlt * 2}}`;

export type PlacedPicture = { id: string; alt: string; from: number; to: number };

/** The pictures of a text with the places of their lines in it, for an editor: at most `most`. */
export function placedPictures(markdown: string, most: number): PlacedPicture[] {
  const lines = new RegExp(`!\\[(${altPattern})\\]\\(picture:(${id})\\)`, "g");
  const placed: PlacedPicture[] = [];
  for (const { 0: line, 1: alt = "", 2: pictureId = "", index } of markdown.matchAll(lines)) {
    const words = alt.replace(/\\(.)/g, "$1");
    placed.push({ id: pictureId, alt: words, from: index, to: index + line.length });
    if (placed.length === most) break;
  }
  return placed;
}

/** In the place of a picture until it has arrived. */
export function waitingLine(name: string, upload: string): string {
  return `![${inBrackets(name)}](picture:uploading-${upload})`;
}

/** The name of the first picture in a text that has not arrived; null where all have. */
export function waitingPicture(markdown: string): string | null {
  const waiting = new RegExp(`!\\[(${altPattern})\\]\\(picture:uploading-`);
  return waiting.exec(markdown)?.[1]?.replace(/\\(.)/g, "$1") ?? null;
}
