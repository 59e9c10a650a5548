import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import type { Rendition } from "./films.ts";

/** It ended by itself: this film cannot be converted, however often it is tried. */
export class CannotConvert extends Error {}
export class TookTooLong extends Error {}

type Running = {
  ffmpeg: string;
  signal: AbortSignal;
  /** In ms, wall-clock. */
  patience: number;
  /** Of the film's time, in ms. */
  onProgress?: (done: number) => void;
};

const threads = ["-threads", "2"];

/** Runs ffmpeg without anything of the site's environment, where its secrets are, and behind
 * everything else that the machine does. It may open files alone.
 * @throws {CannotConvert} {TookTooLong}; any other error may pass when it is tried again */
export async function runFfmpeg(words: string[], running: Running): Promise<void> {
  const { ffmpeg, patience, signal, onProgress } = running;
  const seconds = String(Math.ceil(patience / 1000));
  // A crash of the site leaves it running: it then ends itself, by its processor time.
  const quiet = ["-nostdin", "-hide_banner", "-nostats", "-v", "error", "-timelimit", seconds];
  const child = spawn(ffmpeg, [...quiet, "-progress", "pipe:1", "-y", ...words], {
    ...{ stdio: ["ignore", "pipe", "pipe"], env: {} },
    ...{ signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]), killSignal: "SIGKILL" },
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-1000);
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const at = /out_time_us=(\d+)/.exec(text)?.[1];
    if (at) onProgress?.(Number(at) / 1000);
  });
  if (child.pid) lowerPriority(child.pid);
  const began = performance.now();
  const ended = await new Promise<{ code: number | null; by: string | null }>((resolve, reject) => {
    child.once("error", (error) => {
      if (error.name !== "AbortError") reject(error);
    });
    child.once("close", (code, by) => resolve({ code, by }));
  });
  if (ended.code === 0) return;
  signal.throwIfAborted();
  if (performance.now() - began >= patience) throw new TookTooLong("the conversion took too long");
  if (ended.by) throw new Error(`ffmpeg was ended by ${ended.by}`);
  throw new CannotConvert(errors.trim());
}

function lowerPriority(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system forbids it.
  }
}

/** 8K is 33 million. */
const mostPixels = ["-max_pixels", "40000000"];

/** Of files whose sizes and rates are those of the browser's conversion (film-worker.ts). */
const video = { "1080p": [1080, 4500], "480p": [480, 900] } as const;

/** The words for ffmpeg that make everything of a film in one pass, index first, without what a
 * phone notes in it, such as the place. */
export function conversionWords(
  source: { file: string; isWebm: boolean; hasSound: boolean },
  target: Record<Rendition, string>,
): string[] {
  const { file, isWebm, hasSound } = source;
  const plain = ["-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn"];
  const sound = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"];
  const heard = hasSound ? ["-map", "0:a:0", ...sound] : ["-an"];
  const film = (name: keyof typeof video) => {
    const [short, rate] = video[name];
    return [
      ...["-map", "0:V:0", ...heard, ...plain, "-vf", fitting(short), "-fpsmax", "30"],
      ...[
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-crf",
        "22",
        "-pix_fmt",
        "yuv420p",
        ...threads,
      ],
      ...["-maxrate", `${rate}k`, "-bufsize", `${2 * rate}k`],
      ...["-force_key_frames", "expr:gte(t,n_forced*2)", "-movflags", "+faststart"],
      ...["-f", "mp4", target[name]],
    ];
  };
  return [
    ...["-protocol_whitelist", "file", "-f", isWebm ? "matroska" : "mov"],
    ...[...mostPixels, ...threads, "-i", file],
    ...film("1080p"),
    ...film("480p"),
    ...(hasSound
      ? ["-map", "0:a:0", "-vn", ...plain, ...sound, "-movflags", "+faststart", "-f", "ipod"]
      : []),
    ...(hasSound ? [target.audio] : []),
  ];
}

/** Of a converted film: one picture of it, as JPEG. */
export const stillWords = (film: string, seconds: number, target: string): string[] => [
  ...["-protocol_whitelist", "file", "-ss", seconds.toFixed(2), "-i", film],
  ...["-frames:v", "1", "-q:v", "3", "-f", "mjpeg", target],
];

/** Fits a film into a height of so many pixels when it lies, or a width when it stands. */
function fitting(short: number): string {
  const width = "(iw*sar)";
  const long = Math.round((short * 16) / 9);
  const scale = `min(1\\,min(${short}/min(${width}\\,ih)\\,${long}/max(${width}\\,ih)))`;
  const even = (side: string) => `max(2\\,2*round(${side}*${scale}/2))`;
  return `scale=w=${even(width)}:h=${even("ih")},setsar=1`;
}
