import { sampleFile } from "../../../support/uploads.ts";
import { byRole, get, post, type Row, signedOutJson } from "../row.ts";

const forbidden = { status: 403, has: ['"forbidden"'] };
const path = "/admin/newsletter/recordings";
const sound = new Uint8Array(sampleFile("sound.mp3"));

export const recordingRows: Row[] = [
  post(path, "a recording", byRole(signedOutJson, forbidden, forbidden, 200), { body: sound }),
  post(path, "a page", byRole(signedOutJson, forbidden, forbidden, 400), { body: "<p>" }),
  get(path, "reading", 405),
  get("/recordings/*", "no recording", 404, `/recordings/${"0".repeat(32)}.mp3`),
];
