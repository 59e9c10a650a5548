import type { Answer } from "../schema.ts";

/**
 * A draft as this browser holds it until the server has it. `submitted` marks one
 * whose lesson was sent for completion: it is forgotten once the lesson is completed.
 */
export type LocalDraft = {
  lessonId: string;
  draftId: string;
  revision: number;
  answers: Answer[];
  savedAt: string;
  submitted?: boolean;
};

const prefix = (userId: string) => `draft:${userId}:`;

/** This person's drafts on this device. Storage may be forbidden, full or altered by hand. */
export function localDrafts(userId: string): LocalDraft[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix(userId)))
      .map((key) => JSON.parse(localStorage.getItem(key) ?? "null") as LocalDraft | null)
      .filter((draft): draft is LocalDraft => Array.isArray(draft?.answers));
  } catch {
    return [];
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
  if (!later) localStorage.removeItem(prefix(userId) + draftId);
}

export type SendResult = "kept" | "signed-out" | "refused" | "unreachable";

/** Hands a draft to the server. Never throws: every outcome is one of the four. */
export async function sendDraft(
  slug: string,
  { draftId, lessonId, revision, answers }: LocalDraft,
  keepalive = false,
): Promise<SendResult> {
  try {
    const response = await fetch(`/courses/${slug}/learn/draft`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ draftId, lessonId, revision, answers }),
      keepalive,
    });
    if (response.ok) return "kept";
    if (response.status === 401) return "signed-out";
    return response.status < 500 ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}
