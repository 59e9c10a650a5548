import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import subsetFont from "subset-font";

type Axes = Parameters<typeof subsetFont>[2]["variationAxes"];

/*
 * `npm run fonts` cuts the two faces down to what the site uses, into app/ui/fonts, and to what
 * share pictures are drawn with, into app/platform/share-cards/fonts. Both are committed: run it again
 * after a new version of the packages or another weight in the styles.
 */
const root = path.join(import.meta.dirname, "..");
type Range = readonly [first: number, last: number];

/* What a public page shows in each face is a file of its own, small enough for the first packets of a
 * connection (14 kB); the browser asks for the rest once a page shows one of its characters. */
const headings: Range[] = [
  [0x20, 0x22],
  [0x24, 0x29],
  [0x2c, 0x3b],
  [0x3f, 0x3f],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xa0, 0xa0],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2026, 0x2026],
];
const words: Range[] = [[0x20, 0x7e], [0xa9, 0xa9], ...headings.slice(6)];
const all: Range[] = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x2010, 0x2026],
  [0x2030, 0x203a],
];
const single = "ıŒœŠšŸŽžˆ˚˜€™←↑→↓−∕";

/** Headings have one weight and one optical size: their axes would be two thirds of the file. */
const faces: { name: string; source: string; axes: Axes; first: Range[] }[] = [
  {
    name: "fraunces",
    source: import.meta.resolve(
      "@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2",
    ),
    axes: { wght: 430, opsz: 48 },
    first: headings,
  },
  {
    name: "figtree",
    source: import.meta.resolve(
      "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
    ),
    axes: { wght: { min: 400, max: 700 } },
    first: words,
  },
];
/** What the styles ask for, and what browsers use by themselves. */
const keepFeatures = ["calt", "ccmp", "kern", "liga", "locl", "mark", "lnum", "tnum", "zero"];

const charactersOf = (ranges: Range[]) =>
  ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
    .map((code) => String.fromCodePoint(code));

const folder = path.join(root, "app", "ui", "fonts");
mkdirSync(folder, { recursive: true });
for (const { name, source, axes, first } of faces) {
  const firsts = charactersOf(first);
  const rest = [...charactersOf(all), ...single].filter((one) => !firsts.includes(one));
  for (const [file, characters] of Object.entries({ [name]: firsts, [`${name}-more`]: rest })) {
    const cut = await subsetFont(readFileSync(new URL(source)), characters.join(""), {
      targetFormat: "woff2",
      variationAxes: axes,
      keepFeatures,
      noHinting: true,
    });
    writeFileSync(path.join(folder, `${file}.woff2`), cut);
    process.stdout.write(`${file}: ${cut.length} bytes\n`);
  }
}

/* One weight and one optical size, as on the pages, of every character of the packages. HarfBuzz reads
 * no woff2. */
const drawn = [
  ...["latin", "latin-ext", "vietnamese"].map((script) => ({
    name: `fraunces-${script}`,
    source: `@fontsource-variable/fraunces/files/fraunces-${script}-opsz-normal.woff2`,
    axes: { wght: 430, opsz: 48 },
  })),
  ...["latin", "latin-ext"].map((script) => ({
    name: `figtree-${script}`,
    source: `@fontsource-variable/figtree/files/figtree-${script}-wght-normal.woff2`,
    axes: { wght: 400 },
  })),
];
const every = charactersOf([
  [0x20, 0xd7ff],
  [0xe000, 0xffff],
]).join("");
const cardFolder = path.join(root, "app", "platform", "share-cards", "fonts");
mkdirSync(cardFolder, { recursive: true });
for (const { name, source, axes } of drawn) {
  const whole = readFileSync(new URL(import.meta.resolve(source)));
  const cut = await subsetFont(whole, every, {
    targetFormat: "sfnt",
    variationAxes: axes,
    keepFeatures: [...keepFeatures, "mkmk"],
    noHinting: true,
  });
  writeFileSync(path.join(cardFolder, `${name}.ttf`), cut);
  process.stdout.write(`${name}.ttf: ${cut.length} bytes\n`);
}
