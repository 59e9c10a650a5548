import { readFileSync } from "node:fs";
import { boundedCard, type DrawingName, type ShareCard, shareCardSize } from "./card.ts";
import { drawingFile, type Face } from "./files.ts";
import { type Fitted, fitText } from "./layout.ts";
import { baseline, printable, setLine } from "./type.ts";

/** The day's tokens of ui/styles/tokens.css, which no renderer of SVG reads. */
export const colors: Record<string, string> = {
  paper: "#fbf8f3",
  surface: "#ffffff",
  ink: "#1f2a35",
  "ink-soft": "#52606d",
  dot: "#2463a8",
  "hill-far": "#dfe4e2",
  "hill-mid": "#b9c7c3",
  "hill-near": "#7f9690",
  "water-line": "#7d9db6",
  sky: "#fffdf9",
  stroke: "#33475a",
};

type Place = { x: number; y: number; width: number; height?: number };
/** What a drawing leaves for the words: their width beside it, or where they end above it. */
type Room = { beside: number; above?: never } | { above: number; beside?: never };

const places: Record<DrawingName, Place & Room> = {
  horizon: { x: 0, y: 358, width: 1200, height: 316, above: 358 },
  water: { x: 0, y: 420, width: 1200, height: 210, above: 440 },
  stones: { x: 0, y: 312, width: 1200, height: 340, above: 376 },
  path: { x: 620, y: 203.2, width: 540, beside: 536 },
  compass: { x: 648, y: 62, width: 500, beside: 584 },
  kitchen: { x: 696, y: 0, width: 504, height: 630, beside: 572 },
  chairs: { x: 624, y: 200.7, width: 540, beside: 536 },
};

const left = 76;
const top = 64;
const wordmark = { size: 42, leading: 1.05, tracking: -0.02 };
const heading = { leading: 1.06, tracking: -0.032, mostLines: 4, gap: 44 };
const lineStyle = { leading: 1.35, gap: 26, sizes: [36, 32, 28], mostLines: 2 };
const steps = [72, 66, 60, 54, 49, 44, 40, 36, 32];
/** A short title may be larger than others. */
const short = { below22: 100, below: 78, beside: 77 };

/** A card as SVG, in which words are outlines: nothing of them is read as markup. */
export function composeCard(card: ShareCard): string {
  const bounded = boundedCard(card);
  const brand = printable(bounded.brand, "serif");
  const title = printable(bounded.title, "serif");
  const line = printable(bounded.line, "sans");
  const { beside, above, ...place } = places[bounded.drawing];
  const isBeside = beside !== undefined;
  const width = beside ?? 1040;
  const parts = [drawn(bounded.drawing, place)];
  // Without a title that can be shown, the brand stands in its place.
  if (title === "") parts.push(mark(brand, { y: 196, size: 100, width }));
  else parts.push(mark(brand, { y: top, size: wordmark.size, width }));

  const head = top + wordmark.size * wordmark.leading;
  const room = (above ?? shareCardSize.height - top) - head;
  const under = heightOf(fitLine(line, width));
  const text = fitTitle(title, { width, height: room - under - heading.gap, isBeside });
  const words = fitLine(line, width, title === "" ? undefined : text.size * 0.7);
  const below = heightOf(words);
  const titleHeight = text.lines.length * text.size * heading.leading;
  // Beside a drawing they stand in the middle of what the brand leaves, a little lower.
  const free = isBeside ? (room - 20 - titleHeight - below) / 2 + 20 : heading.gap;
  const y = title === "" ? 196 + 105 : head + Math.max(free, 20);
  parts.push(block(text, { face: "serif", y, ...heading, color: colors.ink }));
  const lineY = y + titleHeight + lineStyle.gap;
  const soft = { face: "sans" as const, y: lineY, ...lineStyle, tracking: 0 };
  parts.push(block(words, { ...soft, color: colors["ink-soft"] }));
  const { width: w, height: h } = shareCardSize;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><rect width="${w}" height="${h}" fill="${colors.paper}"/>${parts.join("")}</svg>`;
}

function fitTitle(text: string, of: { width: number; height: number; isBeside: boolean }): Fitted {
  const usual = of.isBeside ? short.beside : short.below;
  const sizes = [...(text.length < 22 ? [short.below22] : []), usual, ...steps];
  const box = { ...of, sizes, balanced: of.isBeside, ...heading };
  return fitText(text, box, (one, size) => setLine(one, "serif", size, heading.tracking).width);
}

/** Not larger than `most`, so that it stays the smaller of the two. */
function fitLine(text: string, width: number, most = Number.POSITIVE_INFINITY): Fitted {
  const sizes = lineStyle.sizes.filter((size, index, all) => size <= most || !all[index + 1]);
  const box = { ...lineStyle, sizes, width, height: Number.POSITIVE_INFINITY, balanced: true };
  return fitText(text, box, (one, size) => setLine(one, "sans", size, 0).width);
}

const heightOf = ({ size, lines }: Fitted) =>
  lines.length > 0 ? lines.length * size * lineStyle.leading + lineStyle.gap : 0;

type Block = {
  face: Face;
  y: number;
  leading: number;
  tracking: number;
  color: string | undefined;
};

function block({ size, lines }: Fitted, { face, y, leading, tracking, color }: Block): string {
  const first = y + baseline(face, size, leading);
  const set = lines.map((line, index) =>
    outlines(line, { face, size, tracking, x: left, y: first + index * size * leading }),
  );
  return `<g fill="${color}">${set.join("")}</g>`;
}

type At = { face: Face; size: number; tracking: number; x: number; y: number };

function outlines(text: string, { face, size, tracking, x, y }: At): string {
  return setLine(text, face, size, tracking)
    .glyphs.map((glyph) => {
      const move = `translate(${(x + glyph.x).toFixed(2)} ${(y - glyph.y).toFixed(2)})`;
      const scale = glyph.scale.toFixed(5);
      return `<path transform="${move} scale(${scale} -${scale})" d="${glyph.path}"/>`;
    })
    .join("");
}

/** The brand's name, ending in the dot (ui/brand.tsx). */
function mark(brand: string, at: { y: number; size: number; width: number }): string {
  const { tracking, leading } = wordmark;
  const wide = setLine(brand, "serif", at.size, tracking).width + at.size * 0.42;
  const size = at.size * Math.min(1, at.width / wide);
  const y = at.y + baseline("serif", size, leading);
  const { width } = setLine(brand, "serif", size, tracking);
  const radius = Math.round(size * 0.29) / 2;
  const x = left + width + (brand === "" ? 0 : size * 0.13) + radius;
  const name = outlines(brand, { face: "serif", size, tracking, x: left, y });
  return `<g fill="${colors.ink}">${name}</g><circle cx="${x.toFixed(2)}" cy="${(y - radius).toFixed(2)}" r="${radius}" fill="${colors.dot}"/>`;
}

function drawn(drawing: DrawingName, { x, y, width, height }: Place): string {
  const svg = readFileSync(drawingFile(drawing), "utf8");
  const [, viewBox = "", shapes = ""] = /viewBox="(.+?)">(.*)<\/svg>/s.exec(svg) ?? [];
  const [, , boxWidth = 1, boxHeight = 1] = viewBox.split(" ").map(Number);
  const tall = height ?? (width * boxHeight) / boxWidth;
  const inks = shapes
    .replaceAll("currentColor", colors.stroke ?? "")
    .replaceAll(/var\(--([a-z-]+)\)/g, (_, name: string) => `${colors[name]}`);
  return `<svg x="${x}" y="${y}" width="${width}" height="${tall}" viewBox="${viewBox}" preserveAspectRatio="xMidYMid slice">${inks}</svg>`;
}
