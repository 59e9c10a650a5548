import {
  BlobSource,
  CanvasSink,
  Conversion,
  type ConversionAudioOptions,
  type ConversionVideoOptions,
  canEncodeAudio,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  StreamTarget,
  type StreamTargetChunk,
  WEBM,
} from "mediabunny";
import { filmFolder, type Rendition } from "../films.ts";
import { type Index, withIndexFirst } from "./fast-start.ts";

export type FromWorker =
  | { done: number }
  | { files: Record<Rendition, File | null>; still: Blob | null }
  | { failed: string };

type Made = { file: Blob; parts: Blob[] };
type Pass = {
  source: Blob;
  name: string;
  video: ConversionVideoOptions | ((track: InputVideoTrack) => Promise<ConversionVideoOptions>);
  /** The share of the whole work, from and to. */
  share: [number, number];
};

const post = (message: FromWorker) => postMessage(message);
const even = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2);

addEventListener("message", ({ data }: MessageEvent<File>) => {
  convert(data).catch((error: unknown) => post({ failed: String(error) }));
});

/** Each film is made of the one before, so that the large one is decoded once. */
async function convert(source: File): Promise<void> {
  const stem = source.name.replace(/\.[^.]*$/, "");
  const named = (made: Made, ending: string, type: string) =>
    new File(made.parts, `${stem}${ending}`, { type, lastModified: Date.now() });
  const film = await run({ source, name: "film", video: sized(1080, 4_500_000), share: [0, 0.75] });
  const small = await run({
    ...{ source: film.file, name: "small", video: sized(480, 900_000), share: [0.75, 0.98] },
  });
  const sound = film.hasSound
    ? await run({ source: film.file, name: "sound", video: { discard: true }, share: [0.98, 1] })
    : null;
  post({
    still: await stillOf(film.file).catch(() => null),
    files: {
      "1080p": named(film, ".mp4", "video/mp4"),
      "480p": named(small, "-480p.mp4", "video/mp4"),
      audio: sound && named(sound, ".m4a", "audio/mp4"),
    },
  });
}

/** A picture of a film from its first tenth, as JPEG: at the beginning it is often black. */
async function stillOf(film: Blob): Promise<Blob | null> {
  const input = new Input({ formats: [MP4], source: new BlobSource(film) });
  try {
    const track = await input.getPrimaryVideoTrack();
    const at = (await input.computeDuration()) / 10;
    const canvas = track && (await new CanvasSink(track).getCanvas(at))?.canvas;
    if (!(canvas instanceof OffscreenCanvas)) return null;
    return await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  } finally {
    input.dispose();
  }
}

/** Fits a film into a height of so many pixels when it lies, or a width when it stands. */
const sized = (short: number, bitrate: number) => async (track: InputVideoTrack) => {
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  const long = (short * 16) / 9;
  const scale = Math.min(1, short / Math.min(width, height), long / Math.max(width, height));
  const { averagePacketRate } = await track.computePacketStats(100);
  return {
    ...{ codec: "avc", width: even(width * scale), height: even(height * scale), fit: "fill" },
    ...{ bitrate, keyFrameInterval: 2, forceTranscode: true, allowTransformationMetadata: false },
    ...(averagePacketRate > 31 && { frameRate: 30 }),
  } satisfies ConversionVideoOptions;
};

async function run({ source, name, video, share: [from, to] }: Pass) {
  const disk = await openOnDisk(name);
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source: new BlobSource(source) });
  let index: Index | null = null;
  let mediaAt = 0;
  const format = new Mp4OutputFormat({
    fastStart: false,
    onFtyp: (data, position) => {
      mediaAt = position + data.length;
    },
    onMoov: (data, position) => {
      index = { bytes: data.slice(), at: position };
    },
  });
  const output = new Output({ format, target: new StreamTarget(disk.writable, { chunked: true }) });
  try {
    const audio = await soundOptions(input);
    const conversion = await Conversion.init({
      ...{ input, output, video, audio, tracks: "primary", tags: {}, showWarnings: false },
    });
    const lost = conversion.discardedTracks.filter(({ reason }) => reason !== "discarded_by_user");
    if (!conversion.isValid || lost.length > 0)
      throw new Error(lost[0]?.reason ?? "nothing to make");
    let posted = 0;
    conversion.onProgress = (progress) => {
      if (performance.now() - posted < 250) return;
      posted = performance.now();
      post({ done: from + (to - from) * progress });
    };
    await conversion.execute();
    const hasSound = conversion.utilizedTracks.some((track) => track.isAudioTrack());
    const file = await disk.close();
    if (!index) throw new Error("it has no index");
    return { file, parts: withIndexFirst(file, index, mediaAt), hasSound };
  } finally {
    input.dispose();
  }
}

/** AAC, which is copied where the film has it; Opus where this browser cannot make AAC. */
async function soundOptions(input: Input): Promise<ConversionAudioOptions> {
  const track = await input.getPrimaryAudioTrack();
  if (!track) return {};
  const codec = await track.getCodec();
  if (codec === "aac" || !(await canEncodeAudio("aac")))
    return { codec: codec === "aac" ? "aac" : "opus" };
  return { codec: "aac", numberOfChannels: 2, bitrate: 128_000 };
}

type SyncHandle = {
  write(data: Uint8Array, where: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
};

/** A file in the browser's own storage: films of any length fit, and memory is not used. */
async function openOnDisk(name: string) {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(filmFolder, { create: true });
  const handle = await folder.getFileHandle(name, { create: true });
  // Only workers have it, and it is the one that every browser has.
  const file = await (
    handle as unknown as { createSyncAccessHandle(): Promise<SyncHandle> }
  ).createSyncAccessHandle();
  file.truncate(0);
  return {
    writable: new WritableStream<StreamTargetChunk>({
      write: ({ data, position }) => void file.write(data, { at: position }),
    }),
    async close(): Promise<File> {
      file.flush();
      file.close();
      return handle.getFile();
    },
  };
}
