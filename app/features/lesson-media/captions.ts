import { captionsErrors } from "./messages.ts";

/** A caption. Times in ms; `settings` (its place on the screen) and `text` are WebVTT. */
export type Cue = { start: number; end: number; settings: string; text: string };

export type ReadCaptions =
  | { ok: true; cues: Cue[]; converted: boolean }
  | { ok: false; message: string };

type Line = { text: string; number: number };

const arrow = "-->";
const refused = (fault: keyof typeof captionsErrors, line = 0): ReadCaptions => ({
  ok: false,
  message: captionsErrors[fault].replace("{line}", String(line)),
});

/** Reads captions as WebVTT (W3C, WebVTT 1) or SubRip (.srt: no header, commas in times). Names the
 * wrong line where a browser would silently drop text. Drops styles, regions and notes. */
export function readCaptions(source: string): ReadCaptions {
  const text = source.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  if (text.trim() === "") return refused("empty");
  if (text.includes("\0")) return refused("notText");
  const lines = text.split("\n").map((line, index) => ({ text: line, number: index + 1 }));
  const first = lines.findIndex((line) => line.text.trim() !== "");
  const isVtt = /^WEBVTT([ \t]|$)/.test(lines[first]?.text.trim() ?? "");
  if (!isVtt && !looksLikeSubRip(lines)) return refused("noHeader", first + 1);
  const blocks = blocksOf(isVtt ? lines.slice(first) : lines);
  return readBlocks(isVtt ? blocks.slice(1) : blocks, isVtt, isVtt ? (blocks[0] ?? []) : []);
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or what old Windows programs write. */
export function decodeCaptions(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function looksLikeSubRip(lines: Line[]): boolean {
  const at = lines.findIndex((line) => line.text.includes(arrow));
  const above = lines[at - 1]?.text.trim() ?? "";
  return at >= 0 && (/^\d+$/.test(above) || /\d,\d{1,3}/.test(lines[at]?.text ?? ""));
}

function blocksOf(lines: Line[]): Line[][] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.trim() !== "") blocks.at(-1)?.push(line);
    else if (blocks.at(-1)?.length) blocks.push([]);
  }
  return blocks.filter((block) => block.length > 0);
}

function readBlocks(blocks: Line[][], isVtt: boolean, header: Line[]): ReadCaptions {
  const cues: Cue[] = [];
  // A caption directly below the header, without an empty line between them.
  const early = header.findIndex((line) => line.text.includes(arrow));
  const all = early > 0 ? [header.slice(early), ...blocks] : blocks;
  for (const block of all) {
    if (isVtt && /^(NOTE|STYLE|REGION)([ \t]|$)/.test(block[0]?.text ?? "") && !isCue(block))
      continue;
    const read = readBlock(block, isVtt);
    if (!Array.isArray(read)) return read;
    cues.push(...read);
  }
  if (cues.length === 0) return refused("noCaptions");
  return { ok: true, cues, converted: !isVtt };
}

const isCue = (block: Line[]) => block.slice(0, 2).some((line) => line.text.includes(arrow));

function readBlock(block: Line[], isVtt: boolean): Cue[] | ReadCaptions {
  const starts = block.flatMap((line, index) => (line.text.includes(arrow) ? [index] : []));
  const [first] = starts;
  if (first === undefined || first > 1) {
    // A number alone is left over from a caption without text.
    if (block.length === 1 && /^\d+$/.test(block[0]?.text.trim() ?? "")) return [];
    return refused("noTime", block[0]?.number);
  }
  const cues: Cue[] = [];
  for (const [index, start] of starts.entries()) {
    const line = block[start] as Line;
    const next = starts[index + 1];
    const words = block.slice(start + 1, next).map(({ text }) => text.trim());
    if (next !== undefined && /^\d+$/.test(words.at(-1) ?? "")) words.pop();
    const times = readTimes(line.text);
    if (!times) return refused("time", line.number);
    if (times.end < times.start) return refused("backwards", line.number);
    const text = (isVtt ? words : words.map(withoutLooks))
      .map(safeWords)
      .filter(Boolean)
      .join("\n");
    if (text) cues.push({ ...times, settings: isVtt ? times.settings : "", text });
  }
  return cues;
}

function readTimes(line: string) {
  const [before = "", after = ""] = line.split(arrow);
  const [to = "", ...settings] = after.trim().split(/[ \t]+/);
  const [start, end] = [readTime(before.trim()), readTime(to)];
  if (start === null || end === null) return null;
  return {
    start,
    end,
    settings: settings.filter((one) => /^[a-z]+:[\w%,.-]+$/.test(one)).join(" "),
  };
}

/** '1:02:03.5' in ms; null for anything else. */
function readTime(text: string): number | null {
  const parts = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?$/.exec(text);
  if (!parts) return null;
  const [, hours = "0", minutes = "", seconds = "", fraction = ""] = parts;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.padEnd(3, "0"));
}

function withoutLooks(line: string): string {
  return line.replaceAll(/\{\\[^{}]{0,200}\}|<\/?font[^<>]{0,200}>/gi, "").trim();
}

const ownNames = new Set(["amp", "lt", "gt", "nbsp", "lrm", "rlm"]);
const reference = /&(?:(amp|lt|gt|nbsp|lrm|rlm|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));|&/gi;
const noTag = /<(?!\/?(?:c|i|b|u|v|lang|ruby|rt)(?:[ .][^<>]*)?>|(?:\d+:)?\d\d:\d\d\.\d{3}>)/g;

/** Escapes everything but WebVTT's own tags, '<3' for example. HTML entities that WebVTT does not
 * know, such as `&quot;` and `&#39;`, become their characters. */
function safeWords(line: string): string {
  return line
    .replaceAll(reference, (whole, name?: string, decimal?: string, hex?: string) => {
      if (name && ownNames.has(name)) return whole;
      if (name === "quot") return '"';
      if (name === "apos") return "'";
      if (decimal) return character(Number(decimal));
      if (hex) return character(Number.parseInt(hex, 16));
      return `&amp;${whole.slice(1)}`;
    })
    .replaceAll(noTag, "&lt;")
    .replaceAll(arrow, "--&gt;");
}

/** A character by its number (HTML 13.2.5.80), escaped for WebVTT. */
function character(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\uFFFD";
  if (code >= 0x80 && code <= 0x9f)
    return new TextDecoder("windows-1252").decode(Uint8Array.of(code));
  const one = String.fromCodePoint(code);
  if (code < 0x20) return " ";
  return { "&": "&amp;", "<": "&lt;", ">": "&gt;" }[one] ?? one;
}

/** Captions as the players get them. */
export function writeVtt(cues: Cue[]): string {
  const blocks = cues.map(({ start, end, settings, text }) => {
    const times = `${writeTime(start)} ${arrow} ${writeTime(end)}${settings && ` ${settings}`}`;
    return `${times}\n${text}\n`;
  });
  return ["WEBVTT\n", ...blocks].join("\n");
}

function writeTime(ms: number): string {
  const pad = (value: number, digits = 2) => String(value).padStart(digits, "0");
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${pad(hours)}:${pad(minutes)}:${pad(seconds % 60)}.${pad(ms % 1000, 3)}`;
}

/** The number of captions in text made by {@link writeVtt}. */
export function countCues(vtt: string): number {
  return vtt.split("\n").filter((line) => line.includes(arrow)).length;
}

/** A silence of this length, in ms, starts a new paragraph. */
const silence = 2000;
/** So does the end of a sentence in a paragraph of at least this many characters. */
const longParagraph = 450;

/** The text of captions in order of time, as paragraphs separated by empty lines. Names speakers
 * where they change; a line that rolling captions repeat appears once. */
export function transcriptOf(vtt: string): string {
  const read = readCaptions(vtt);
  if (!read.ok) return "";
  const paragraphs: string[] = [];
  // Joined once: reading the end of a growing string would copy all of it each time.
  let parts: string[] = [];
  let [length, speaker, lastLine, lastEnd] = [0, "", "", 0];
  const finish = () => {
    if (parts.length > 0) paragraphs.push(parts.join(" "));
    [parts, length] = [[], 0];
  };
  for (const cue of read.cues.toSorted((a, b) => a.start - b.start)) {
    if (cue.start - lastEnd >= silence) finish();
    lastEnd = Math.max(lastEnd, cue.end);
    for (const line of cue.text.split("\n")) {
      const [name, words] = [speakerOf(line), plainWords(line)];
      if (!words || words === lastLine) continue;
      const changes = name !== "" && name !== speaker;
      if (changes || (length >= longParagraph && /[.!?…]["”’)]?$/.test(lastLine.slice(-2))))
        finish();
      lastLine = words;
      if (changes) speaker = name;
      const part = changes ? `${name}: ${words}` : words;
      length += part.length + (parts.length > 0 ? 1 : 0);
      parts.push(part);
    }
  }
  finish();
  return paragraphs.join("\n\n");
}

const speakerOf = (line: string) => plainWords(/<v(?:\.[^\s>]*)?\s+([^>]+)>/.exec(line)?.[1] ?? "");

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  lrm: "",
  rlm: "",
};

function plainWords(line: string): string {
  return line
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
