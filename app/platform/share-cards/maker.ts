import { text } from "node:stream/consumers";
import sharp from "sharp";
import { type ShareCard, shareCardName } from "./card.ts";
import { composeCard } from "./compose.ts";
import { withMark } from "./png.ts";

/* A process of its own for each card (draw.ts), as a file of its own in the build: the card is read
 * as JSON from standard input, and its picture written to standard output. */

sharp.cache(false);
sharp.concurrency(1);

const card = JSON.parse(await text(process.stdin)) as ShareCard;
// Flat areas stay flat: noise between two colors doubles the size of the file.
const png = await sharp(Buffer.from(composeCard(card)))
  .removeAlpha()
  .png({ palette: true, colours: 256, quality: 100, dither: 0, effort: 10, compressionLevel: 9 })
  .toBuffer();
process.stdout.write(withMark(png, shareCardName(card)));
