import { createDevice } from "~/ui/keeping/device.ts";
import type { Kind, Position } from "../schema.ts";

/** A position as this device holds it until the server has it. */
export type LocalPosition = {
  slug: string;
  lessonId: string;
  kind: Kind;
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

/** 'refused': the server does not want it, today or later. */
export type SendResult = Position | "refused" | "signed-out" | "unreachable";

/** Tells the server, also from a page that is left; @returns the position that stands there now. Never throws. */
export async function sendPosition(
  userId: string,
  { slug, at, ...position }: LocalPosition,
): Promise<SendResult> {
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
