import { createDevice } from "~/ui/autosave.ts";
import type { PlaybackKind, Position } from "../schema.ts";

/** A position that this device stores until the server has it. */
export type LocalPosition = {
  slug: string;
  lessonId: string;
  kind: PlaybackKind;
  key: string;
  positionMs: number;
  /** When it was measured, by this device's clock, in ms since 1970. */
  at: number;
};

export const positionDevice = createDevice<LocalPosition>({
  name: "position",
  isItem(value): value is LocalPosition {
    const { at, slug } = (value ?? {}) as Partial<LocalPosition>;
    return typeof at === "number" && typeof slug === "string";
  },
  idOf: ({ lessonId, kind }) => `${lessonId}:${kind}`,
  countOf: ({ at }) => at,
});

const patienceMs = 15_000;

/** 'refused': the server will not take it, now or later. */
export type PositionSendResult = Position | "refused" | "signed-out" | "unreachable";

/** Saves a position, also from a page that unloads. Returns the current one; never throws. */
export async function sendPosition(
  userId: string,
  { slug, at, ...position }: LocalPosition,
): Promise<PositionSendResult> {
  try {
    const response = await fetch(`/courses/${slug}/learn/position`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ userId, ...position, agoMs: Math.max(0, Date.now() - at) }),
      keepalive: true,
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.ok) return (await response.json()) as Position;
    if (response.status === 401) return "signed-out";
    const isRefusal = response.status < 500 && response.status !== 429;
    return isRefusal ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}

type Setup = {
  slug: string;
  userId: string;
  lessonId: string;
  kind: PlaybackKind;
  key: string;
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

  const forget = (position: LocalPosition) =>
    positionDevice.drop(userId, positionDevice.idOf(position), position.at);

  async function send(isBeingDeleted = false): Promise<void> {
    if (!waiting || (isSending && !isBeingDeleted)) return;
    const sent = waiting;
    isSending = true;
    const result = await sendPosition(userId, sent);
    isSending = false;
    if (result === "unreachable" || result === "signed-out") return;
    if (typeof result === "object") savedAt = result.savedAt;
    forget(sent);
    if (waiting === sent) waiting = null;
    else await send();
  }

  return {
    reached(positionMs: number, isBeingDeleted = false): void {
      if (this.isElsewhere(positionMs)) {
        last = positionMs;
        waiting = { ...media, positionMs: Math.round(positionMs), at: Date.now() };
        positionDevice.put(userId, waiting);
      }
      void send(isBeingDeleted);
    },
    retry: () => void send(),
    isElsewhere: (positionMs: number) => Math.abs(positionMs - last) >= sameMs,
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
      for (const position of positionDevice.all(userId)) {
        if (waiting && isOwn(position)) continue;
        const result = await sendPosition(userId, position);
        if (result === "unreachable" || result === "signed-out") continue;
        forget(position);
        if (typeof result === "object" && isOwn(position)) own = result;
      }
      return own;
    },
  };
}
