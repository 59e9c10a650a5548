/** What a film is made of. Codecs as in RFC 6381 ('avc1.640028') where the file tells, else by the
 * file's own name ('apcn'); null without such a track. Pixels as shown, so of a turned film turned. */
export type FilmFacts = {
  videoCodec: string | null;
  audioCodec: string | null;
  width: number | null;
  height: number | null;
};

/** With `size` in bytes and `durationMs`, as far as they are known. */
export type Film = FilmFacts & { size: number | null; durationMs: number | null };

/** What is made of a film: smaller ones, and its sound alone. */
export const renditions = ["1080p", "480p", "audio"] as const;
export type Rendition = (typeof renditions)[number];

/** The folder of a browser's own storage that converted films are in until they are uploaded. */
export const filmFolder = "films";

export const smoothHeight = 1080;
const smoothBitRate = 8e6;
/** In bytes: a smaller film is there in a moment, however short it is. */
const smallFilm = 30e6;

/** A bound for the bytes of all that is made of a film: 6 Mbit/s. */
export const madeBytes = (durationMs: number): number => (durationMs / 8000) * 6e6;

const videoNames: [RegExp, string][] = [
  [/^avc[13]/, "H.264"],
  [/^(hvc1|hev1|dvh1|dvhe)/, "HEVC"],
  [/^ap(4[hx]|c[hnso])/, "ProRes"],
  [/^vp09/, "VP9"],
  [/^vp8/, "VP8"],
  [/^av01/, "AV1"],
  [/^mp4v/, "MPEG-4"],
];

/** 'H.264', 'HEVC'; the name in the file where it is none of the usual ones. */
export function codecName(codec: string): string {
  return videoNames.find(([pattern]) => pattern.test(codec))?.[1] ?? codec.split(".")[0] ?? codec;
}

/** Profiles of H.264 (ISO 14496-10, A.2) with 8 bits and half the colours, and 8-bit VP9 and AV1. */
const playable = [
  /^avc[13]\.(42|4d|58|64)/i,
  /^vp8/,
  /^vp09\.00/,
  /^av01\.0\.\d\d[MH]\.08/,
] as const;
const audible = /^(mp4a|opus|vorbis|mp3|flac)/;

/** Bits a second; null where the length is not known. */
export function bitRateOf({ size, durationMs }: Film): number | null {
  return size && durationMs ? (size * 8000) / durationMs : null;
}

/** 'H.264 video, 1080p, 4.2 Mbit/s'; null for a film of which nothing could be read. */
export function filmInWords(film: Film): string | null {
  const { videoCodec, width, height, audioCodec } = film;
  if (!videoCodec) return null;
  const short = Math.min(width ?? 0, height ?? 0);
  const rate = bitRateOf(film);
  return [
    `${codecName(videoCodec)} video`,
    short >= 2160 ? "4K" : short > 0 && `${short}p`,
    width && height && height > width && "upright",
    rate &&
      `${rate < 1e6 ? Math.max(0.1, Math.round(rate / 1e5) / 10) : Math.round(rate / 1e5) / 10} Mbit/s`,
    !audioCodec && "without sound",
  ]
    .filter(Boolean)
    .join(", ");
}

export type FilmFault = "picture" | "sound" | "size";

/** What keeps devices from playing a film well: a picture or a sound that many cannot decode, or more
 * than a phone's connection carries. Null for one that plays everywhere, or of which nothing is known. */
export function filmFault(film: Film): FilmFault | null {
  const { videoCodec, audioCodec, width, height } = film;
  if (!videoCodec) return null;
  if (!playable.some((pattern) => pattern.test(videoCodec))) return "picture";
  if (audioCodec && !audible.test(audioCodec)) return "sound";
  const isLarge = Math.min(width ?? 0, height ?? 0) > smoothHeight;
  const isHeavy = (film.size ?? 0) > smallFilm && (bitRateOf(film) ?? 0) > smoothBitRate;
  return isLarge || isHeavy ? "size" : null;
}

/** What the coach reads about it, and in lists of what is not ready. */
export function faultInWords(fault: FilmFault, film: Film): { title: string; text: string } {
  const name = codecName(film.videoCodec ?? "");
  if (fault === "picture")
    return {
      title: `Many phones and older computers cannot show this film (${name})`,
      text: "Their picture may stay black. Export it as H.264 and replace it, or choose the same file again and have it converted here.",
    };
  if (fault === "sound")
    return {
      title: "Many devices play this film without its sound",
      text: `Its sound is stored as ${codecName(film.audioCodec ?? "")}. Export it with AAC sound and replace it.`,
    };
  return {
    title: "This film is large for phones and slow connections",
    text: "It may stop to load. Export it at 1080p and replace it, or choose the same file again and have it converted here.",
  };
}

/** In the list of a course, after the lesson's title. */
export const courseFilmFaults = {
  picture: "its film may stay black on some devices",
  sound: "its film may be silent on some devices",
} as const;
