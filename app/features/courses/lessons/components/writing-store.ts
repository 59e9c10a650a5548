import { createDevice } from "~/ui/keeping/device.ts";
import { type SendResult, sendDraft } from "~/ui/keeping/send.ts";
import type { DraftFields } from "../schema.ts";

/** A draft of a lesson as this browser holds it until the server has it. */
export type LocalWriting = {
  lessonId: string;
  draftId: string;
  baseRevision: number;
  saves: number;
  fields: DraftFields;
};

function isWriting(value: unknown): value is LocalWriting {
  const { fields, lessonId } = (value ?? {}) as Partial<LocalWriting>;
  return typeof fields === "object" && fields !== null && Boolean(lessonId);
}

export const writingDevice = createDevice<LocalWriting>({
  name: "writing",
  isItem: isWriting,
  idOf: ({ draftId }) => draftId,
  countOf: ({ saves }) => saves,
});

/** Hands a draft of a lesson to the server. Never throws. */
export function sendWriting(
  userId: string,
  { lessonId, ...writing }: LocalWriting,
  isLeaving = false,
): Promise<SendResult> {
  return sendDraft(`/admin/lessons/${lessonId}/draft`, { userId, ...writing }, isLeaving);
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
