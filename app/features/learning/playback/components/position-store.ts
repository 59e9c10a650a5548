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

const prefix = (userId: string) => `position:${userId}:`;
const nameOf = (userId: string, { lessonId, kind }: LocalPosition) =>
  `${prefix(userId)}${lessonId}:${kind}`;

/** This person's positions on this device. Storage may be forbidden, full or altered by hand. */
export function localPositions(userId: string): LocalPosition[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix(userId)))
      .map((key) => parsed(localStorage.getItem(key)))
      .filter((position) => position !== null);
  } catch {
    return [];
  }
}

function parsed(text: string | null): LocalPosition | null {
  try {
    const position = JSON.parse(text ?? "null") as LocalPosition | null;
    return typeof position?.at === "number" && typeof position.slug === "string" ? position : null;
  } catch {
    return null;
  }
}

export function putLocal(userId: string, position: LocalPosition): void {
  try {
    localStorage.setItem(nameOf(userId, position), JSON.stringify(position));
  } catch {
    // Then it is only in the page, until the next try.
  }
}

/** Forgets a position, unless a later one has taken its place. */
export function dropLocal(userId: string, position: LocalPosition): void {
  try {
    const name = nameOf(userId, position);
    if (parsed(localStorage.getItem(name))?.at === position.at) localStorage.removeItem(name);
  } catch {
    // What cannot be reached cannot be there.
  }
}

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
    return response.status < 500 ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}
