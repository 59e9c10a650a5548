import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { drawShareCard } from "../app/platform/share-cards/draw.ts";
import { firstShareCards } from "./build/first-share-cards.ts";
import { drawIcon, icoFile, icons, small } from "./pictures/icons.ts";

// Draws the pictures in public/ that stand for the site elsewhere: share/*.png, and the icons.
//
//   npm run pictures             all of them
//   npm run pictures -- home     one card, by its name in content/share.ts
//
// To be run after a change to the share words of content/pages, to the brand's name, to a drawing or a
// token; the files are committed. Those of words that the coach changes are drawn by the site itself.
const folder = path.join(import.meta.dirname, "..", "public");
const wanted = process.argv.slice(2);

function write(name: string, bytes: Buffer) {
  writeFileSync(path.join(folder, name), bytes);
  process.stdout.write(`public/${name}  ${(bytes.length / 1000).toFixed(1)} kB\n`);
}

mkdirSync(path.join(folder, "share"), { recursive: true });
for (const [name, card] of await firstShareCards()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  write(`share/${name}.png`, await drawShareCard(card));
}
if (wanted.length === 0) {
  for (const icon of icons) write(`${icon.name}.png`, await drawIcon(icon));
  const sizes = small.map(async (icon) => ({ size: icon.size, png: await drawIcon(icon) }));
  write("favicon.ico", icoFile(await Promise.all(sizes)));
}
