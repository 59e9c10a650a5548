import type { DraftFields } from "../schema.ts";

/** A draft as this browser holds it until the server has it. */
export type LocalWriting = {
  lessonId: string;
  draftId: string;
  baseRevision: number;
  saves: number;
  fields: DraftFields;
};

const prefix = (userId: string) => `writing:${userId}:`;

/** This person's drafts on this device. Storage may be forbidden, full or altered by hand. */
export function localWriting(userId: string): LocalWriting[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix(userId)))
      .map((key) => parsed(localStorage.getItem(key)))
      .filter((draft) => draft !== null);
  } catch {
    return [];
  }
}

function parsed(text: string | null): LocalWriting | null {
  try {
    const draft = JSON.parse(text ?? "null") as LocalWriting | null;
    return draft && typeof draft.fields === "object" && draft.lessonId ? draft : null;
  } catch {
    return null;
  }
}

/** @returns whether the browser took it */
export function putLocal(userId: string, draft: LocalWriting): boolean {
  try {
    localStorage.setItem(prefix(userId) + draft.draftId, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forgets a draft, unless more was written into it since. */
export function dropLocal(userId: string, draftId: string, saves: number): void {
  try {
    const kept = parsed(localStorage.getItem(prefix(userId) + draftId));
    if (!kept || kept.saves <= saves) localStorage.removeItem(prefix(userId) + draftId);
  } catch {
    // What cannot be reached cannot be there.
  }
}

export type SendResult = "kept" | "signed-out" | "refused" | "unreachable";

/** Browsers refuse to finish larger requests for a page that is leaving. */
const leavingBytes = 60_000;

/** Hands a draft to the server. Never throws: every outcome is one of the four. */
export async function sendWriting(
  userId: string,
  { lessonId, draftId, baseRevision, saves, fields }: LocalWriting,
  isLeaving = false,
): Promise<SendResult> {
  const body = new Blob([JSON.stringify({ userId, draftId, baseRevision, saves, fields })], {
    type: "application/json",
  });
  try {
    const response = await fetch(`/admin/lessons/${lessonId}/draft`, {
      method: "PUT",
      body,
      keepalive: isLeaving && body.size < leavingBytes,
      // Whoever is not signed in is sent to the door: that is an answer too.
      redirect: "manual",
    });
    if (response.ok) return "kept";
    if (response.type === "opaqueredirect" || response.status === 401) return "signed-out";
    return response.status < 500 ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}

/** Gives a draft up, because she says so. @returns whether the server heard of it */
export async function giveUp(
  lessonId: string,
  { id, saves }: { id: string; saves: number },
): Promise<boolean> {
  try {
    const body = new URLSearchParams({ draft: `${id}:${saves}` });
    const address = `/admin/lessons/${lessonId}/draft`;
    const response = await fetch(address, { method: "POST", body, redirect: "manual" });
    // It answers with the way back to this page; whoever is signed out is sent elsewhere.
    return response.type === "opaqueredirect" || response.ok;
  } catch {
    return false;
  }
}
