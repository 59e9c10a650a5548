import { createHash } from "node:crypto";

export const drawingNames = [
  ...["water", "horizon", "stones", "path", "compass", "kitchen", "chairs"],
] as const;
export type DrawingName = (typeof drawingNames)[number];

export const isDrawing = (name: string): name is DrawingName =>
  (drawingNames as readonly string[]).includes(name);

/** What a share picture says, and the drawing beside it. */
export type ShareCard = {
  brand: string;
  title: string;
  line?: string | undefined;
  drawing: DrawingName;
};

/** In pixels; what Open Graph and Twitter show whole. */
export const shareCardSize = { width: 1200, height: 630 };

/** In characters as a reader counts them; what is longer ends with an ellipsis. */
const longest = { brand: 40, title: 120, line: 80 };

/** To be raised when the same words are drawn in another way: every card gets a new name. */
const drawnBy = 1;

/** The name of a card's file: of its words, and of how they are drawn. 32 hexadecimal digits. */
export function shareCardName(card: ShareCard): string {
  const { brand, title, line, drawing } = boundedCard(card);
  const words = JSON.stringify([drawnBy, brand, title, line, drawing]);
  return createHash("sha256").update(words).digest("hex").slice(0, 32);
}

/** The words as they are drawn: on one line, without control characters, and not too long. */
export function boundedCard({ brand, title, line = "", drawing }: ShareCard): Required<ShareCard> {
  return {
    brand: bounded(brand, longest.brand),
    title: bounded(title, longest.title),
    line: bounded(line, longest.line),
    drawing,
  };
}

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

export function charactersOf(text: string): string[] {
  return Array.from(characters.segment(text), ({ segment }) => segment);
}

/** Code units that are looked at: a character may have any number of accents. */
const mostUnits = 1000;

function bounded(text: string, most: number): string {
  const plain = text
    .slice(0, mostUnits)
    .toWellFormed()
    .normalize("NFC")
    .replace(/(?!\u00a0)\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\ufffd]/gu, "")
    .trim();
  const all = charactersOf(plain);
  const cut = all.length > most || text.length > mostUnits;
  if (!cut) return plain;
  return `${all
    .slice(0, most - 1)
    .join("")
    .trimEnd()}…`;
}
