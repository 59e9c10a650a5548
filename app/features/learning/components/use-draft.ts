import { type RefObject, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { Answer } from "../schema.ts";
import { createDraftKeeper, type DraftKeeper, type KeepState } from "./draft-keeper.ts";
import { dropLocal, localDrafts, sendDraft } from "./draft-store.ts";

type Draft = { slug: string; userId: string; lessonId: string; draftId: string; revision: number };

/** The boxes of a form, each with its question. */
export function boxesOf(form: HTMLFormElement | null): HTMLTextAreaElement[] {
  return [...(form?.querySelectorAll<HTMLTextAreaElement>('textarea[name="answer"]') ?? [])];
}

function readBoxes(form: HTMLFormElement | null): Answer[] {
  return boxesOf(form).map((box) => ({ question: box.dataset.question ?? "", answer: box.value }));
}

/**
 * Keeps what is typed into a form's boxes, from the first moment on: also what was
 * typed before the scripts had loaded.
 */
export function useDraftKeeper(form: RefObject<HTMLFormElement | null>, draft: Draft) {
  const [state, setState] = useState<KeepState>("idle");
  const keeper = useRef<DraftKeeper>(null);
  const first = useRef(draft);
  useEffect(() => {
    // The last save happens while the form leaves the page, when the ref is empty already.
    const element = form.current;
    const made = createDraftKeeper({
      ...first.current,
      read: () => readBoxes(element),
      onState: setState,
    });
    keeper.current = made;
    const typedBefore = boxesOf(element).some((box) => box.value !== box.defaultValue);
    if (typedBefore) made.changed();
    const hidden = () => document.visibilityState === "hidden" && made.flush();
    element?.addEventListener("input", made.changed);
    addEventListener("online", made.retry);
    addEventListener("focus", made.retry);
    addEventListener("pagehide", made.flush);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      made.flush();
      element?.removeEventListener("input", made.changed);
      removeEventListener("online", made.retry);
      removeEventListener("focus", made.retry);
      removeEventListener("pagehide", made.flush);
      document.removeEventListener("visibilitychange", hidden);
    };
  }, [form]);
  return { state, keeper };
}

/**
 * Hands over what an earlier page could not: drafts that this device still holds. Those
 * of completed lessons that were sent are forgotten; the others are then offered back.
 */
export function useLeftBehind(slug: string, userId: string, completedIds: string[]) {
  const { revalidate } = useRevalidator();
  const completed = completedIds.join();
  const mountedAt = useRef(new Date().toISOString());
  useEffect(() => {
    async function handOver() {
      let arrived = false;
      for (const draft of localDrafts(userId)) {
        if (draft.submitted && completed.includes(draft.lessonId))
          dropLocal(userId, draft.draftId, draft.revision);
        else if (draft.savedAt < mountedAt.current && (await sendDraft(slug, draft)) === "kept") {
          dropLocal(userId, draft.draftId, draft.revision);
          arrived = true;
        }
      }
      if (arrived) await revalidate();
    }
    void handOver();
    addEventListener("online", handOver);
    return () => removeEventListener("online", handOver);
  }, [slug, userId, completed, revalidate]);
}
