import { type RefObject, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { handOver } from "~/ui/keeping/hand-over.ts";
import type { KeepState } from "~/ui/keeping/keeper.ts";
import { listen } from "~/ui/keeping/listen.ts";
import type { Answer, SeenDraft } from "../schema.ts";
import { createDraftKeeper, type DraftKeeper } from "./draft-keeper.ts";
import { journalDevice, type LocalDraft, sendJournal } from "./draft-store.ts";

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
    return listen(element, made);
  }, [form]);
  return { state, draftId, keeper };
}

/**
 * Hands over what an earlier page could not send of her journals; it is then offered back.
 * @returns what the server did not take: this device alone has it
 */
export function useLeftBehind(slug: string, userId: string): LocalDraft[] {
  const { revalidate } = useRevalidator();
  const [left, setLeft] = useState<LocalDraft[]>([]);
  useEffect(
    () =>
      handOver({
        userId,
        device: journalDevice,
        send: (draft) => sendJournal(slug, userId, draft),
        onArrived: revalidate,
        onLeft: setLeft,
      }),
    [slug, userId, revalidate],
  );
  return left;
}
