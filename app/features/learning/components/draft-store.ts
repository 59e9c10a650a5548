import type { Answer } from "../schema.ts";

/** A draft as this browser holds it until the server has it. */
export type LocalDraft = {
  lessonId: string;
  draftId: string;
  revision: number;
  answers: Answer[];
  savedAt: string;
};

const prefix = (userId: string) => `draft:${userId}:`;

/** This person's drafts on this device. Storage may be forbidden, full or altered by hand. */
export function localDrafts(userId: string): LocalDraft[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix(userId)))
      .map((key) => parsed(localStorage.getItem(key)))
      .filter((draft) => draft !== null);
  } catch {
    return [];
  }
}

function parsed(text: string | null): LocalDraft | null {
  try {
    const draft = JSON.parse(text ?? "null") as LocalDraft | null;
    return Array.isArray(draft?.answers) ? draft : null;
  } catch {
    return null;
  }
}

/** @returns whether the browser took it */
export function putLocal(userId: string, draft: LocalDraft): boolean {
  try {
    localStorage.setItem(prefix(userId) + draft.draftId, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forgets a draft, unless more was written into it since. */
export function dropLocal(userId: string, draftId: string, revision: number): void {
  const later = localDrafts(userId).some(
    (draft) => draft.draftId === draftId && draft.revision > revision,
  );
  try {
    if (!later) localStorage.removeItem(prefix(userId) + draftId);
  } catch {
    // What cannot be reached cannot be there.
  }
}

/** 'gone': it was sent or deleted meanwhile, so its name takes no more words. */
export type SendResult = "kept" | "gone" | "signed-out" | "refused" | "unreachable";

/** Browsers refuse to finish larger requests for a page that is leaving. */
const leavingBytes = 60_000;

/** Hands a draft to the server. Never throws: every outcome is one of the five. */
export async function sendDraft(
  slug: string,
  userId: string,
  { draftId, lessonId, revision, answers }: LocalDraft,
  isLeaving = false,
): Promise<SendResult> {
  const body = new Blob([JSON.stringify({ userId, draftId, lessonId, revision, answers })], {
    type: "application/json",
  });
  try {
    const response = await fetch(`/courses/${slug}/learn/draft`, {
      method: "PUT",
      body,
      keepalive: isLeaving && body.size < leavingBytes,
    });
    if (response.ok) return response.status === 204 ? "kept" : "gone";
    if (response.status === 401) return "signed-out";
    return response.status < 500 ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}
