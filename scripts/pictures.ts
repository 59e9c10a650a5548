import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ShareName, share, shareSize } from "../content/share.ts";
import { icoFile, icons, small } from "./pictures/icons.ts";
import { cardMark } from "./pictures/mark.ts";
import { palettePng, readPng } from "./pictures/palette-png.ts";
import { openStage } from "./pictures/stage.ts";

// Draws the pictures in public/ that stand for the site elsewhere: share/*.png, and the icons.
//
//   npm run pictures             all of them
//   npm run pictures -- home     one card, by its name in content/share.ts
//
// To be run after a change to content/share.ts, to the brand's name, to a drawing or a token; the
// files are committed. It needs a Chromium, as the browser tests do. The site itself does not.
const folder = path.join(import.meta.dirname, "..", "public");
const wanted = process.argv.slice(2);
const stage = await openStage();
const { cardPage } = (await stage.load(
  "/scripts/pictures/share-card.tsx",
)) as typeof import("./pictures/share-card.tsx");

function write(name: string, bytes: Buffer) {
  writeFileSync(path.join(folder, name), bytes);
  process.stdout.write(`public/${name}  ${(bytes.length / 1000).toFixed(1)} kB\n`);
}

async function drawIcon({ svg, size }: { svg: string; size: number }) {
  const html = `<style>body{margin:0}svg{display:block}</style>${svg}`;
  const shot = await stage.shoot({ html, width: size, height: size, clear: true });
  return readPng(shot);
}

mkdirSync(path.join(folder, "share"), { recursive: true });
for (const name of Object.keys(share) as ShareName[]) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const shot = await stage.shoot({ html: cardPage(share[name]), ...shareSize });
  write(`share/${name}.png`, palettePng(readPng(shot), { mark: cardMark(share[name]) }));
}
if (wanted.length === 0) {
  for (const icon of icons) write(`${icon.name}.png`, palettePng(await drawIcon(icon)));
  write("favicon.ico", icoFile([await drawIcon(small[0]), await drawIcon(small[1])]));
}
await stage.close();
