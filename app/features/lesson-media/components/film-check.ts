import {
  BlobSource,
  canEncodeAudio,
  canEncodeVideo,
  Input,
  MATROSKA,
  MP4,
  QTFF,
  WEBM,
} from "mediabunny";
import { type Film, madeBytes } from "../films.ts";
import { filmTracks } from "./film-tracks.ts";

/** `canConvert`: this browser can make it into one that plays everywhere. `lacksRoom`: it could, but
 * its disk is too full. */
export type CheckedFilm = Film & { canConvert: boolean; lacksRoom: boolean };

/** Reads what a chosen film is made of; not the film. Null if that cannot be read: the site looks at
 * it again when it has arrived. */
export async function checkFilm(file: File): Promise<CheckedFilm | null> {
  const input = new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: new BlobSource(file),
  });
  try {
    const tracks = await filmTracks(input);
    const seconds = await input.computeDuration();
    const durationMs = seconds > 0 ? Math.round(seconds * 1000) : null;
    // WebKit on Linux has encoders, and fails when it is asked for the rest.
    const isAble = await canConvert(input).catch(() => false);
    const lacksRoom = isAble && !(await hasRoom(durationMs ?? 0));
    const canConvertNow = isAble && !lacksRoom;
    return { ...tracks, size: file.size, durationMs, canConvert: canConvertNow, lacksRoom };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

/** On the browser's own disk, for all that is made of a film. Browsers that do not say are tried. */
async function hasRoom(durationMs: number): Promise<boolean> {
  // Safari has it from 17 on.
  const disk = await navigator.storage.estimate?.().catch(() => undefined);
  return disk?.quota === undefined || disk.quota - (disk.usage ?? 0) > madeBytes(durationMs);
}

/** Safari 16.4 has no encoder for sound and Firefox before 130 none at all; what is AAC is copied. */
async function canConvert(input: Input): Promise<boolean> {
  const hasParts = "VideoEncoder" in globalThis && "locks" in navigator;
  if (!hasParts || !("getDirectory" in navigator.storage)) return false;
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (!video || !(await video.canDecode())) return false;
  if (!(await canEncodeVideo("avc", { width: 1920, height: 1080, bitrate: 4_500_000 })))
    return false;
  if (!audio || (await audio.getCodec()) === "aac") return true;
  const canEncode = (await canEncodeAudio("aac")) || (await canEncodeAudio("opus"));
  return canEncode && (await audio.canDecode());
}
