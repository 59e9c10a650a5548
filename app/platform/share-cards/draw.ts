import path from "node:path";
import pLimit from "p-limit";
import { runProcess } from "../pictures/own-process.ts";
import { boundedCard, type ShareCard } from "./card.ts";
import { isPng } from "./png.ts";

// In ms, wall-clock: a card takes half a second of an idle machine.
const patience = 15_000;
/** In bytes; a card has 20 to 60 kB. */
const mostBytes = 300_000;
const turns = pLimit(1);

const program = {
  source: path.join(import.meta.dirname, "maker.ts"),
  built: "share-card-maker.js",
};

/** Draws a share picture of 1200 by 630 pixels as PNG, one at a time, in a process of its own
 * (docs/decisions/027). Words that are too long are cut, and characters that no font has left out.
 * @throws when it could not be drawn within `ms` */
export async function drawShareCard(card: ShareCard, { ms = patience } = {}): Promise<Buffer> {
  const input = JSON.stringify(boundedCard(card));
  const { bytes, errors, signal } = await turns(() => runProcess(program, { input, ms }));
  if (signal) throw new Error(`drawing a share picture was ended by ${signal}`);
  if (!isPng(bytes)) throw new Error(`a share picture was not drawn: ${errors.slice(0, 500)}`);
  if (bytes.length > mostBytes)
    throw new Error(`a share picture has ${bytes.length} bytes, more than ${mostBytes}`);
  return bytes;
}
