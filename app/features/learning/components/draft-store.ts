import { createDevice } from "~/ui/keeping/device.ts";
import { type SendResult, sendDraft } from "~/ui/keeping/send.ts";
import type { Answer, SeenDraft } from "../schema.ts";

/** A draft of a journal as this browser holds it until the server has it. */
export type LocalDraft = {
  lessonId: string;
  draftId: string;
  revision: number;
  answers: Answer[];
  /** Older drafts whose words are in these. */
  absorbed?: SeenDraft[];
};

export const journalDevice = createDevice<LocalDraft>({
  name: "draft",
  isItem: (value): value is LocalDraft =>
    Array.isArray((value as Partial<LocalDraft> | null)?.answers),
  idOf: ({ draftId }) => draftId,
  countOf: ({ revision }) => revision,
});

/** Hands a draft of a journal to the server. Never throws. */
export function sendJournal(
  slug: string,
  userId: string,
  draft: LocalDraft,
  isLeaving = false,
): Promise<SendResult> {
  return sendDraft(`/courses/${slug}/learn/draft`, { userId, ...draft }, isLeaving);
}
