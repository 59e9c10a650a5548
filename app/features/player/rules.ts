const secondMs = 1000;

// This close to the beginning or to the end, playback starts over.
const tooSoonMs = 5 * secondMs;
const nearEndMs = 5 * secondMs;
const nearEndShare = 0.98;

/** Where to resume a video or an audio, in ms; 0 is its beginning. `durationMs` null: unknown. */
export function resumeAt(positionMs: number, durationMs: number | null): number {
  if (positionMs < tooSoonMs) return 0;
  if (durationMs === null) return positionMs;
  const isOver = positionMs >= durationMs - nearEndMs || positionMs >= durationMs * nearEndShare;
  return isOver ? 0 : positionMs;
}

/** A position in ms as '3:20' or '1:03:20'. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / secondMs);
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const longestPreviewDay = 9999;

/** The day of a course that an admin's preview shows, from its address; null: every lesson open. */
export function previewDay(asked: string | null): number | null {
  const day = /^\d{1,9}$/.test(asked ?? "") ? Number(asked) : null;
  return day !== null && day <= longestPreviewDay ? day : null;
}

/** The query of a further page of the course, to which an admin's student view and its day stay on;
 * empty for none. */
export function previewQuery(search: URLSearchParams, more: { lesson?: string } = {}): string {
  const view = search.get("view") === "student" ? "student" : null;
  const query = Object.entries({ view, day: search.get("day"), ...more })
    .flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []))
    .join("&");
  return query && `?${query}`;
}

/** Whether a URL that expires at `endsAt` is good, due for renewal or over; ms, of one clock. */
export function addressState(endsAt: number, now: number, aheadMs: number) {
  if (now >= endsAt) return "over";
  return now >= endsAt - aheadMs ? "ending" : "good";
}

/** Delay before the n-th retry in a row to resume playback, in ms; null: give up. */
export function retryDelayMs(tries: number): number | null {
  return [0, 1000, 4000][tries] ?? null;
}
