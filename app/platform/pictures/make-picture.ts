import path from "node:path";
import pLimit from "p-limit";
import { runProcess } from "./own-process.ts";
import {
  type MadePicture,
  type PictureFile,
  PictureRefused,
  type Recipe,
  type Refusal,
  refusalByBytes,
} from "./picture.ts";

// In ms, wall-clock: 40 million pixels take four seconds.
const patience = 20_000;
const maxWaiting = 8;
const turns = pLimit(1);

/** Makes the small versions of a picture, one picture at a time, in a process of its own: what a
 * decoder takes is given back, and a crash or an endless loop in it ends there
 * (docs/decisions/023). @throws {PictureRefused} */
export async function makePicture(source: Uint8Array, recipe: Recipe): Promise<MadePicture> {
  const refusal = refusalByBytes(source);
  if (refusal) throw new PictureRefused(refusal);
  if (turns.pendingCount >= maxWaiting) throw new PictureRefused("busy");
  const answer = await turns(() => ask(source, recipe));
  if ("refusal" in answer) throw new PictureRefused(answer.refusal);
  return answer;
}

const program = {
  source: path.join(import.meta.dirname, "maker.ts"),
  built: "picture-maker.js",
};

async function ask(source: Uint8Array, recipe: Recipe) {
  const asked = { args: [JSON.stringify(recipe)], input: source, ms: patience };
  const { bytes, errors, signal } = await runProcess(program, asked);
  if (signal === "SIGKILL") return { refusal: "slow" as const };
  if (bytes.length > 4) return readAnswer(bytes);
  if (/ERR_MODULE_NOT_FOUND|Could not load the "sharp"/.test(errors))
    return { refusal: "absent" as const };
  if (signal) return { refusal: "damaged" as const };
  throw new Error(`a picture could not be made: ${errors.slice(0, 500)}`);
}

type Answer =
  | { refusal: Refusal }
  | (Omit<MadePicture, "renditions"> & {
      renditions: (Omit<PictureFile, "bytes"> & { length: number })[];
    });

function readAnswer(bytes: Buffer): MadePicture | { refusal: Refusal } {
  let at = 4 + bytes.readUInt32BE(0);
  const answer = JSON.parse(bytes.toString("utf8", 4, at)) as Answer;
  if ("refusal" in answer) return answer;
  const renditions = answer.renditions.map(({ length, ...about }) => {
    at += length;
    return { ...about, bytes: bytes.subarray(at - length, at) };
  });
  return { ...answer, renditions };
}
