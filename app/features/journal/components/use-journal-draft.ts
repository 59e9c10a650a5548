import { type RefObject, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import {
  type AutosaveState,
  createAutosave,
  createDevice,
  listen,
  type SendResult,
  sendDraft,
  sendUnsentDrafts,
} from "~/ui/autosave.ts";

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
export function sendJournalDraft(
  slug: string,
  userId: string,
  draft: LocalDraft,
  isBeingDeleted = false,
): Promise<SendResult> {
  return sendDraft(`/courses/${slug}/learn/draft`, { userId, ...draft }, isBeingDeleted);
}

type Setup = {
  slug: string;
  userId: string;
  lessonId: string;
  draftId: string;
  /** What the boxes hold now. */
  read: () => Answer[];
  onState: (state: AutosaveState) => void;
  /** The words go on under another name, because theirs was sent or deleted elsewhere. */
  onDraftId: (draftId: string) => void;
};

/**
 * Keeps what is being typed into one lesson's boxes (ui/autosave.ts). The server gives up the older
 * drafts that were restored into them with the saving that brings their words.
 */
export function createJournalAutosave({ slug, userId, lessonId, draftId, read, ...setup }: Setup) {
  let own = draftId;
  /** Older drafts whose words are in the boxes now, from the revision `at` on. */
  let absorbed: (SeenDraft & { at: number })[] = [];
  const autosave = createAutosave<LocalDraft>({
    userId,
    draftId,
    device: journalDevice,
    read: (draftId, revision) => ({
      ...{ lessonId, draftId, revision, answers: read() },
      absorbed: absorbed.map(({ id, revision }) => ({ id, revision })),
    }),
    send: (draft, isBeingDeleted) => sendJournalDraft(slug, userId, draft, isBeingDeleted),
    onState: setup.onState,
    onSaved(revision) {
      absorbed = absorbed.filter(({ at }) => at > revision);
    },
    onDraftId(next) {
      own = next;
      absorbed = absorbed.map((older) => ({ ...older, at: 1 }));
      setup.onDraftId(next);
    },
  });

  return {
    ...autosave,
    /** The words of an older draft were laid into the boxes, and with them those `within` it. */
    absorb(older: SeenDraft, within: SeenDraft[] = []) {
      const at = autosave.changed();
      absorbed.push(...[older, ...within].map((draft) => ({ ...draft, at })));
      autosave.flush();
      // This device needs them once; a full one may not have taken them a second time.
      const isHeld = journalDevice
        .all(userId)
        .some((draft) => draft.draftId === own && draft.revision === at);
      if (isHeld) journalDevice.drop(userId, older.id, older.revision);
    },
  };
}

export type JournalAutosave = ReturnType<typeof createJournalAutosave>;

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
export function useJournalAutosave(form: RefObject<HTMLFormElement | null>, draft: Draft) {
  const [state, setState] = useState<AutosaveState>("idle");
  const [draftId, setDraftId] = useState(draft.draftId);
  const autosave = useRef<JournalAutosave>(null);
  const first = useRef(draft);
  useEffect(() => {
    // The last save happens while the form leaves the page, when the ref is empty already.
    const element = form.current;
    const made = createJournalAutosave({
      ...first.current,
      read: () => readBoxes(element),
      onState: setState,
      onDraftId: setDraftId,
    });
    autosave.current = made;
    if (first.current.restored) made.absorb(first.current.restored);
    return listen(element, made);
  }, [form]);
  return { state, draftId, autosave };
}

/**
 * Hands over what an earlier page could not send of their journals; it is then offered back.
 * @returns what the server did not take: this device alone has it
 */
export function useUnsentJournalDrafts(slug: string, userId: string): LocalDraft[] {
  const { revalidate } = useRevalidator();
  const [left, setLeft] = useState<LocalDraft[]>([]);
  useEffect(
    () =>
      sendUnsentDrafts({
        userId,
        device: journalDevice,
        send: (draft) => sendJournalDraft(slug, userId, draft),
        onArrived: revalidate,
        onLeft: setLeft,
      }),
    [slug, userId, revalidate],
  );
  return left;
}
