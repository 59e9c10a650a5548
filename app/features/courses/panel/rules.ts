import { shownFileName } from "../media/rules.ts";

/** '3:07', '1:02:03': how long a video or audio is, from ms. */
export function lengthInWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const pad = (value: number) => String(value).padStart(2, "0");
  const end = pad(seconds % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${end}` : `${minutes}:${end}`;
}

/** Whole percent of a file that have arrived; 100 is said of all of it alone. */
export function percentOf(received: number, size: number): number {
  if (size <= 0) return 0;
  return Math.max(0, Math.min(100, Math.floor((received / size) * 100)));
}

/** How fast a file goes: bytes a second, smoothed, as of a moment (ms) at which so much was sent. */
export type Pace = { at: number; sent: number; speed: number | null };

/** Shorter stretches than this, in ms, say little. */
const stretch = 500;
/** After this many ms, older speeds weigh a third. */
const memory = 8000;

/** The pace with one more reading. The first stretch's speed is taken as it is. */
export function nextPace(pace: Pace | null, at: number, sent: number): Pace {
  if (!pace || sent < pace.sent) return { at, sent, speed: null };
  const passed = at - pace.at;
  if (passed < stretch) return pace;
  const now = ((sent - pace.sent) / passed) * 1000;
  const weight = Math.exp(-passed / memory);
  return { at, sent, speed: pace.speed === null ? now : pace.speed * weight + now * (1 - weight) };
}

/** What was last said of the time left: so many seconds, counted down from a moment (ms). */
export type TimeLeft = { seconds: number; at: number };

/** For how long, in ms, a wrong guess stands before a better one is said. */
const patience = 4000;

/**
 * What to say of the time left, so that it does not jump about: it counts down by itself, and is
 * only corrected when it is wrong by a quarter (and by five seconds), every four seconds at most.
 */
export function nextTimeLeft(
  said: TimeLeft | null,
  pace: Pace,
  remaining: number,
): TimeLeft | null {
  if (!pace.speed || pace.speed <= 0) return said;
  const seconds = remaining / pace.speed;
  if (!said) return { seconds, at: pace.at };
  if (pace.at - said.at < patience) return said;
  const expected = secondsLeft(said, pace.at);
  const isWrong = Math.abs(seconds - expected) > Math.max(expected / 4, 5);
  return { seconds: isWrong ? seconds : expected, at: pace.at };
}

function secondsLeft({ seconds, at }: TimeLeft, now: number): number {
  return Math.max(0, seconds - (now - at) / 1000);
}

/** 'about 5 minutes left': coarse on purpose. */
export function timeLeftInWords(said: TimeLeft, now: number): string {
  const seconds = secondsLeft(said, now);
  if (seconds < 10) return "a few seconds left";
  if (seconds < 45) return "less than a minute left";
  const minutes = seconds / 60;
  if (minutes < 1.5) return "about a minute left";
  if (minutes < 10) return `about ${Math.round(minutes)} minutes left`;
  if (minutes < 52.5) return `about ${Math.round(minutes / 5) * 5} minutes left`;
  const hours = minutes / 60;
  if (hours < 1.25) return "about an hour left";
  if (hours < 1.75) return "about an hour and a half left";
  if (hours < 24) return `about ${Math.round(hours)} hours left`;
  return "more than a day left";
}

/** What this browser remembers of a file that it began to send. */
export type KnownFile = { name: string; size: number; lastModified: number };

/**
 * Whether a chosen file is the one whose upload stopped. Its name and size must be the same, and
 * the time of its last change, where this browser remembers that.
 */
export function isSameFile(
  chosen: KnownFile,
  stopped: { fileName: string; size: number },
  remembered: KnownFile | null,
): boolean {
  const isNamedSo = shownFileName(chosen.name) === shownFileName(stopped.fileName);
  if (!isNamedSo || chosen.size !== stopped.size) return false;
  return remembered === null || remembered.lastModified === chosen.lastModified;
}

/** How long to wait before the next try, in ms: at once, then longer, half a minute at most. */
export function retryDelay(attempt: number): number {
  return attempt === 0 ? 500 : Math.min(30_000, 1000 * 2 ** (attempt - 1));
}

/** What an answer that is not a success asks for. */
export type Meaning = "again" | "gone" | "signed-out" | "refused";

/**
 * What to do about a status: 0 is no answer. Busy (409, 423, 429) and ailing servers are asked
 * again, but a full disk (507) is told; what is not there (404, 410) is begun anew.
 */
export function meaningOf(status: number): Meaning {
  if (status === 507) return "refused";
  if (status === 0 || status >= 500 || [408, 409, 423, 425, 429].includes(status)) return "again";
  if (status === 404 || status === 410) return "gone";
  if (status === 401 || (status >= 300 && status < 400)) return "signed-out";
  return "refused";
}
