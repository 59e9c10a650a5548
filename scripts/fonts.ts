import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import subsetFont from "subset-font";

/*
 * `npm run fonts` cuts the two faces down to what the site uses, into app/ui/fonts, which is
 * committed: run it again after a new version of the packages or another weight in the styles.
 */
const root = path.join(import.meta.dirname, "..");
const characters = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x2010, 0x2026],
  [0x2030, 0x203a],
] as const;
const single = "ıŒœŠšŸŽžˆ˚˜€™←↑→↓−∕";

/** The weight of headings is one: its axis alone would be a third of the file. */
const faces = [
  {
    name: "fraunces",
    source: import.meta.resolve(
      "@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2",
    ),
    axes: { wght: 430 },
  },
  {
    name: "figtree",
    source: import.meta.resolve(
      "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
    ),
    axes: { wght: { min: 400, max: 700 } },
  },
];

const text = characters
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
  .map((code) => String.fromCodePoint(code))
  .join("");

mkdirSync(path.join(root, "app", "ui", "fonts"), { recursive: true });
for (const { name, source, axes } of faces) {
  const cut = await subsetFont(readFileSync(new URL(source)), text + single, {
    targetFormat: "woff2",
    variationAxes: axes,
  });
  writeFileSync(path.join(root, "app", "ui", "fonts", `${name}.woff2`), cut);
  process.stdout.write(`${name}: ${cut.length} bytes\n`);
}
