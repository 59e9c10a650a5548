import { type RefObject, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { Answer, SeenDraft } from "../schema.ts";
import { createDraftKeeper, type DraftKeeper, type KeepState } from "./draft-keeper.ts";
import { dropLocal, localDrafts, sendDraft } from "./draft-store.ts";

type Draft = {
  slug: string;
  userId: string;
  lessonId: string;
  draftId: string;
  /** An older draft whose words stand in the boxes from the beginning. */
  restored: SeenDraft | null;
};

/** The boxes of a form, each with its question. */
export function boxesOf(form: HTMLFormElement | null): HTMLTextAreaElement[] {
  return [...(form?.querySelectorAll<HTMLTextAreaElement>('textarea[name="answer"]') ?? [])];
}

function readBoxes(form: HTMLFormElement | null): Answer[] {
  return boxesOf(form).map((box) => ({ question: box.dataset.question ?? "", answer: box.value }));
}

/**
 * Keeps what is typed into a form's boxes, also what was typed before the scripts had loaded
 * (ui/early-typing.ts). `draftId` is the name it has on the server now.
 */
export function useDraftKeeper(form: RefObject<HTMLFormElement | null>, draft: Draft) {
  const [state, setState] = useState<KeepState>("idle");
  const [draftId, setDraftId] = useState(draft.draftId);
  const keeper = useRef<DraftKeeper>(null);
  const first = useRef(draft);
  useEffect(() => {
    // The last save happens while the form leaves the page, when the ref is empty already.
    const element = form.current;
    const made = createDraftKeeper({
      ...first.current,
      read: () => readBoxes(element),
      onState: setState,
      onDraftId: setDraftId,
    });
    keeper.current = made;
    if (first.current.restored) made.absorb(first.current.restored);
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
  return { state, draftId, keeper };
}

/**
 * Hands over what an earlier page could not: drafts that this device still holds. Those
 * that were sent or deleted meanwhile are forgotten; the others are then offered back.
 */
export function useLeftBehind(slug: string, userId: string) {
  const { revalidate } = useRevalidator();
  const mountedAt = useRef(new Date().toISOString());
  useEffect(() => {
    async function handOver() {
      let arrived = false;
      for (const draft of localDrafts(userId)) {
        if (draft.savedAt >= mountedAt.current) continue;
        const result = await sendDraft(slug, userId, draft);
        if (result === "kept") arrived = true;
        if (result === "kept" || result === "gone")
          dropLocal(userId, draft.draftId, draft.revision);
      }
      if (arrived) await revalidate();
    }
    void handOver();
    addEventListener("online", handOver);
    return () => removeEventListener("online", handOver);
  }, [slug, userId, revalidate]);
}
