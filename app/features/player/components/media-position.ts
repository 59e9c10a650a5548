import { createDevice } from "~/ui/autosave.ts";
import type { PlaybackKind, Position } from "../schema.ts";

/** A position that this device stores until the server has it. `at`: when it was measured, by this
 * device's clock, in ms since 1970. */
type LocalPosition = {
  slug: string;
  lessonId: string;
  kind: PlaybackKind;
  key: string;
  positionMs: number;
  at: number;
};

const device = createDevice<LocalPosition>({
  name: "position",
  isItem(value): value is LocalPosition {
    const { at, slug } = (value ?? {}) as Partial<LocalPosition>;
    return typeof at === "number" && typeof slug === "string";
  },
  idOf: ({ lessonId, kind }) => `${lessonId}:${kind}`,
  countOf: ({ at }) => at,
});

const patienceMs = 15_000;

/** Saves a position, also from a page that unloads. @returns the one that stands now; 'refused' if
 * the server will never take it; null if it has to wait */
async function send(
  userId: string,
  { slug, at, ...position }: LocalPosition,
): Promise<Position | "refused" | null> {
  try {
    const response = await fetch(`/courses/${slug}/learn/position`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ userId, ...position, agoMs: Math.max(0, Date.now() - at) }),
      keepalive: true,
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.ok) return (await response.json()) as Position;
    const { status } = response;
    return status >= 500 || status === 401 || status === 429 ? null : "refused";
  } catch {
    return null;
  }
}

type Setup = Pick<LocalPosition, "slug" | "lessonId" | "kind" | "key"> & {
  userId: string;
  /** The server's position when the page was rendered. */
  known: Position | null;
  startMs: number;
};

// Smaller differences count as the same position.
const sameMs = 500;

/** Saves the position in one video or audio, on this device at once and on the server. A
 * position counts from when it was measured, not from when it is sent. An unchanged one is not sent
 * again, so that closing an old tab overwrites nothing. */
export function createMediaPosition({ userId, known, startMs, ...media }: Setup) {
  let last = startMs;
  let savedAt = known?.savedAt ?? null;
  let waiting: LocalPosition | null = null;
  let isSending = false;

  const isOwn = ({ lessonId, kind, key }: LocalPosition) =>
    lessonId === media.lessonId && kind === media.kind && key === media.key;

  async function deliver(position: LocalPosition) {
    const result = await send(userId, position);
    if (result) device.drop(userId, device.idOf(position), position.at);
    return result;
  }

  async function flush(isBeingDeleted = false): Promise<void> {
    if (!waiting || (isSending && !isBeingDeleted)) return;
    const sent = waiting;
    isSending = true;
    const result = await deliver(sent);
    isSending = false;
    if (!result) return;
    if (result !== "refused") savedAt = result.savedAt;
    if (waiting === sent) waiting = null;
    else await flush();
  }

  const isElsewhere = (positionMs: number) => Math.abs(positionMs - last) >= sameMs;
  return {
    isElsewhere,
    reached(positionMs: number, isBeingDeleted: boolean): void {
      if (isElsewhere(positionMs)) {
        last = positionMs;
        waiting = { ...media, positionMs: Math.round(positionMs), at: Date.now() };
        device.put(userId, waiting);
      }
      void flush(isBeingDeleted);
    },
    retry: () => void flush(),
    /** The page shows a position from another device or an earlier page. */
    moved(positionMs: number, position: Position | null): void {
      last = positionMs;
      if (position) savedAt = position.savedAt;
    },
    /** Whether the server's position is from another time than the one known here. */
    isNews: (position: Position) => !waiting && position.savedAt !== savedAt,
    /** Sends what an earlier page could not. Returns the new position if it is of this media. */
    async handOver(): Promise<Position | null> {
      let own: Position | null = null;
      for (const position of device.all(userId)) {
        if (waiting && isOwn(position)) continue;
        const result = await deliver(position);
        if (result && result !== "refused" && isOwn(position)) own = result;
      }
      return own;
    },
  };
}
