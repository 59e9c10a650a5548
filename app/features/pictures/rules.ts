/** A picture for an `<img>`: its addresses by width, and its largest size in pixels. */
export type ImageSource = { src: string; srcSet: string; width: number; height: number };

export type PictureFacts = {
  id: string;
  hash: string;
  lessonId: string | null;
  width: number;
  height: number;
  widths: number[];
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

/** An alt text between the brackets of Markdown, on one line. */
export function inBrackets(alt: string): string {
  return alt
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\[\]]/g, "\\$&");
}

export function pictureLine(pictureId: string, alt = ""): string {
  return `![${inBrackets(alt)}](picture:${pictureId})`;
}
