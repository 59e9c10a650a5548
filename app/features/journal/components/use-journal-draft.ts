import type { RefObject } from "react";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { createDevice, type SendResult, sendDraft } from "~/ui/autosave.ts";
import { useAutosave, useUnsentDrafts } from "~/ui/use-autosave.ts";
import type { Answer } from "../schema.ts";

/** A draft of a journal in this browser, until the server has it. */
export type LocalDraft = {
  lessonId: string;
  draftId: string;
  revision: number;
  answers: Answer[];
  absorbed?: SeenDraft[];
};

export const journalDevice = createDevice<LocalDraft>({
  name: "draft",
  isItem: (value): value is LocalDraft =>
    Array.isArray((value as Partial<LocalDraft> | null)?.answers),
  idOf: ({ draftId }) => draftId,
  countOf: ({ revision }) => revision,
});

type Owner = { slug: string; userId: string };

/** Sends a draft of a journal to the server. Never throws. */
function sendJournalDraft(
  { slug, userId }: Owner,
  draft: LocalDraft,
  isBeingDeleted = false,
): Promise<SendResult> {
  return sendDraft(`/courses/${slug}/learn/draft`, { userId, ...draft }, isBeingDeleted);
}

/** The boxes of a form, each with its question. */
export function boxesOf(form: HTMLFormElement | null): HTMLTextAreaElement[] {
  return [...(form?.querySelectorAll<HTMLTextAreaElement>('textarea[name="answer"]') ?? [])];
}

type Draft = Owner & {
  lessonId: string;
  draftId: string;
  /** An older draft whose text is in the boxes from the beginning. */
  restored: SeenDraft | null;
};

/** Autosaves what is typed into a form's boxes. */
export function useJournalAutosave(
  form: RefObject<HTMLFormElement | null>,
  { slug, userId, lessonId, draftId, restored }: Draft,
) {
  return useAutosave<LocalDraft>(form, {
    userId,
    draftId,
    restored,
    device: journalDevice,
    read: (element, state) => ({
      lessonId,
      ...state,
      answers: boxesOf(element).map((box) => ({
        question: box.dataset.question ?? "",
        answer: box.value,
      })),
    }),
    send: (draft, isBeingDeleted) => sendJournalDraft({ slug, userId }, draft, isBeingDeleted),
  });
}

/** {@link useUnsentDrafts} of a user's journal. */
export function useUnsentJournalDrafts(slug: string, userId: string): LocalDraft[] {
  return useUnsentDrafts(userId, journalDevice, (draft) =>
    sendJournalDraft({ slug, userId }, draft),
  );
}
