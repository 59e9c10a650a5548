import type { Kind, Position } from "../schema.ts";
import { type LocalPosition, positionDevice, sendPosition } from "./position-store.ts";

type Setup = {
  slug: string;
  userId: string;
  lessonId: string;
  kind: Kind;
  key: string;
  /** What the server had when the page was made. */
  known: Position | null;
  /** Where the page begins. */
  startMs: number;
};

/** Less than this is no other place, in ms. */
const sameMs = 500;

/**
 * Keeps where somebody is in one video or audio: on this device at once, and on the server. A place
 * counts from the moment it was reached, not from when it is sent; one that nobody has moved from
 * is not sent again, so that an old tab that is closed says nothing.
 */
export function createPositionKeeper({ userId, known, startMs, ...media }: Setup) {
  let last = startMs;
  let savedAt = known?.savedAt ?? null;
  let waiting: LocalPosition | null = null;
  let isSending = false;

  const isOwn = ({ lessonId, kind, key }: LocalPosition) =>
    lessonId === media.lessonId && kind === media.kind && key === media.key;

  const forget = (position: LocalPosition) =>
    positionDevice.drop(userId, positionDevice.idOf(position), position.at);

  async function send(isLeaving = false): Promise<void> {
    if (!waiting || (isSending && !isLeaving)) return;
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
    /** The media is at `positionMs` now. */
    reached(positionMs: number, isLeaving = false): void {
      if (this.isElsewhere(positionMs)) {
        last = positionMs;
        waiting = { ...media, positionMs: Math.round(positionMs), at: Date.now() };
        positionDevice.put(userId, waiting);
      }
      void send(isLeaving);
    },
    /** Tries again what could not be sent. */
    retry: () => void send(),
    /** Whether this is another place than the one that was kept last. */
    isElsewhere: (positionMs: number) => Math.abs(positionMs - last) >= sameMs,
    /** The page shows another place now, because a device or an earlier page had gone there. */
    moved(positionMs: number, position: Position | null): void {
      last = positionMs;
      if (position) savedAt = position.savedAt;
    },
    /** Whether the server's position is of another time than the one this page knows of. */
    isNews: (position: Position) => !waiting && position.savedAt !== savedAt,
    /**
     * Hands over what an earlier page could not send.
     * @returns the position that stands after that, where it is about this very media
     */
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
