import { readFileSync } from "node:fs";
import { Face, Font, Blob as FontBytes, shape, Buffer as TextBuffer } from "harfbuzzjs";
import { charactersOf } from "./card.ts";
import { cardFile, type Face as FaceName, faceFiles } from "./files.ts";

type Loaded = { font: Font; unitsPerEm: number };

const loaded = new Map<string, Loaded>();

function load(file: string): Loaded {
  const known = loaded.get(file);
  if (known) return known;
  const face = new Face(new FontBytes(new Uint8Array(readFileSync(cardFile(file)))));
  const font = { font: new Font(face), unitsPerEm: face.upem };
  loaded.set(file, font);
  return font;
}

const fontsOf = (face: FaceName) => faceFiles[face].map(load);

const covers = ({ font }: Loaded, character: string) =>
  [...character].every((one) => font.nominalGlyph(one.codePointAt(0) ?? 0));

/** A text as the face can show it: what no font has comes without its accents, or not at all. With
 * less than two thirds of its alphabet left, nothing: half a word is worse than none. */
export function printable(text: string, face: FaceName): string {
  const fonts = fontsOf(face);
  const found = charactersOf(text).map((character) => {
    if (fonts.some((font) => covers(font, character))) return character;
    const bare = character.normalize("NFD").replace(/\p{M}+/gu, "");
    return bare !== "" && fonts.some((font) => covers(font, bare)) ? bare : "";
  });
  const shown = found.join("");
  if (countIn(shown) < (countIn(text) * 2) / 3) return "";
  return shown.replace(/ +/g, " ").trim();
}

const countIn = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

type Glyph = { path: string; x: number; y: number; scale: number };
export type SetLine = { glyphs: Glyph[]; width: number };

/** A printable text on one line, shaped as a browser does. `tracking` is in em. */
export function setLine(text: string, face: FaceName, size: number, tracking: number): SetLine {
  const line: SetLine = { glyphs: [], width: 0 };
  for (const { font, words } of runsOf(text, fontsOf(face))) add(line, font, words, size, tracking);
  return line;
}

function runsOf(text: string, fonts: Loaded[]): { font: Loaded; words: string }[] {
  const runs: { font: Loaded; words: string }[] = [];
  for (const character of charactersOf(text)) {
    const font = fonts.find((one) => covers(one, character));
    if (!font) continue;
    const last = runs.at(-1);
    if (last?.font === font) last.words += character;
    else runs.push({ font, words: character });
  }
  return runs;
}

function add(line: SetLine, of: Loaded, words: string, size: number, tracking: number): void {
  const { font, unitsPerEm } = of;
  const scale = size / unitsPerEm;
  const buffer = new TextBuffer();
  buffer.addText(words);
  buffer.guessSegmentProperties();
  shape(font, buffer);
  const positions = buffer.getGlyphPositions();
  for (const [index, { codepoint: glyph }] of buffer.getGlyphInfos().entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const path = font.glyphToPath(glyph);
    if (path)
      line.glyphs.push({ path, x: line.width + xOffset * scale, y: yOffset * scale, scale });
    // An accent has no width, and stands over what is before it.
    line.width += xAdvance * scale + (xAdvance > 0 ? tracking * size : 0);
  }
}

/** From the top of a line's box to its baseline, in pixels. */
export function baseline(face: FaceName, size: number, leading: number): number {
  const [{ font, unitsPerEm } = load(faceFiles[face][0] ?? "")] = fontsOf(face);
  const { ascender, descender } = font.hExtents();
  const [up, down] = [(ascender / unitsPerEm) * size, (-descender / unitsPerEm) * size];
  return (size * leading - (up + down)) / 2 + up;
}
