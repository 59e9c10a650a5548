import type { Transcript } from "../../captions/schema.ts";
import type { MediaKind } from "../texts.ts";

const keyOf = (lessonId: string, kind: MediaKind) => `transcript:${lessonId}:${kind}`;

/**
 * Keeps on this device what is typed and not saved yet; null forgets it.
 * @returns whether it could: storage may be forbidden or full, and the words in the page alone
 */
export function keepTranscript(
  lessonId: string,
  kind: MediaKind,
  typed: Transcript | null,
): boolean {
  try {
    if (typed) localStorage.setItem(keyOf(lessonId, kind), JSON.stringify(typed));
    else localStorage.removeItem(keyOf(lessonId, kind));
    return true;
  } catch {
    return false;
  }
}

/** What was typed and not saved; null when there is nothing, or it was altered by hand. */
export function keptTranscript(lessonId: string, kind: MediaKind): Transcript | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(lessonId, kind)) ?? "null");
    return typeof kept?.text === "string" && typeof kept.version === "string" ? kept : null;
  } catch {
    return null;
  }
}
