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

import { fieldNames } from "../messages.ts";
import type { DraftFields, Fields } from "../schema.ts";

/** A draft of a lesson in this browser, until the server has it. */
export type LocalLessonDraft = {
  lessonId: string;
  draftId: string;
  baseRevision: number;
  saves: number;
  fields: DraftFields;
};

function isWriting(value: unknown): value is LocalLessonDraft {
  const { fields, lessonId } = (value ?? {}) as Partial<LocalLessonDraft>;
  return typeof fields === "object" && fields !== null && Boolean(lessonId);
}

export const lessonDraftDevice = createDevice<LocalLessonDraft>({
  name: "writing",
  isItem: isWriting,
  idOf: ({ draftId }) => draftId,
  countOf: ({ saves }) => saves,
});

/** Sends a lesson draft to the server. Never throws. */
export function sendLessonDraft(
  userId: string,
  { lessonId, ...writing }: LocalLessonDraft,
  isBeingDeleted = false,
): Promise<SendResult> {
  return sendDraft(`/admin/lessons/${lessonId}/draft`, { userId, ...writing }, isBeingDeleted);
}

/** Discards a draft, at the user's request. @returns whether the server received it */
export async function discardLessonDraft(
  lessonId: string,
  { id, saves }: { id: string; saves: number },
): Promise<boolean> {
  try {
    const body = new URLSearchParams({ draft: `${id}:${saves}` });
    const address = `/admin/lessons/${lessonId}/draft`;
    const response = await fetch(address, { method: "POST", body, redirect: "manual" });
    // The answer redirects back to this page; a signed-out user is redirected elsewhere.
    return response.type === "opaqueredirect" || response.ok;
  } catch {
    return false;
  }
}

type Setup = {
  userId: string;
  lessonId: string;
  draftId: string;
  baseRevision: number;
  continued: { id: string; saves: number }[];
  read: () => DraftFields;
  onState: (state: AutosaveState) => void;
};

/** Autosaves a lesson's form (ui/autosave.ts) with the revision it started from, then discards
 * older drafts that it includes. docs/decisions/004 goes through the cases. */
export function createLessonAutosave({
  userId,
  lessonId,
  draftId,
  read,
  onState,
  ...setup
}: Setup) {
  let { baseRevision, continued } = setup;
  const autosave = createAutosave<LocalLessonDraft>({
    userId,
    draftId,
    device: lessonDraftDevice,
    read: (draftId, saves) => ({ lessonId, draftId, baseRevision, saves, fields: read() }),
    send: (draft, isBeingDeleted) => sendLessonDraft(userId, draft, isBeingDeleted),
    onState,
    onSaved: () => void giveUpContinued(),
  });

  /** Their text is now on the server under this draft's id. */
  async function giveUpContinued() {
    const given = continued;
    continued = [];
    for (const draft of given)
      if (!(await discardLessonDraft(lessonId, draft))) continued.push(draft);
  }

  return {
    ...autosave,
    /** Returns the drafts whose text is in the submitted form, as `id:saves`. */
    submit(): string[] {
      const { count } = autosave.submit();
      return [{ id: draftId, saves: count }, ...continued].map(
        (draft) => `${draft.id}:${draft.saves}`,
      );
    },
    /** After a save: text typed since starts from the new revision. */
    saved(revision: number) {
      baseRevision = revision;
      continued = [];
      autosave.saved();
    },
    /** Something else aborted the save: autosave goes on. */
    interrupted: autosave.resume,
    /** The save was rejected: autosave goes on, from the revision that the user knows by now. */
    resume(revision: number) {
      baseRevision = revision;
      autosave.resume();
    },
  };
}

export type LessonAutosave = ReturnType<typeof createLessonAutosave>;

type Writing = {
  userId: string;
  lessonId: string;
  draftId: string;
  baseRevision: number;
  continued: { id: string; saves: number }[];
};

/** What a lesson's form holds, as it was typed. */
export function readFields(form: HTMLFormElement | null): Fields {
  const typed = form ? new FormData(form) : null;
  return Object.fromEntries(
    fieldNames.map((name) => [name, String(typed?.get(name) ?? "").replaceAll("\r\n", "\n")]),
  ) as Fields;
}

/** Also stores the order number that the form was opened with. */
function readDraft(form: HTMLFormElement | null): DraftFields {
  const given = form?.elements.namedItem("orderBefore");
  const orderBefore = given instanceof HTMLInputElement ? given.value : "";
  return { ...readFields(form), orderBefore };
}

/** Sets a field as if it had been typed, so that all listeners are notified. */
export function fillIn(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (!field || field instanceof RadioNodeList) return;
  // React replaces the setter of the element itself.
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;
  setter?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (field instanceof HTMLSelectElement)
    field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Autosaves a lesson's form, including text typed before the scripts loaded (ui/early-typing.ts).
 * `keptAt` is when the server last had all of it. */
export function useLessonDraft(form: RefObject<HTMLFormElement | null>, writing: Writing) {
  const [state, setState] = useState<AutosaveState>("idle");
  const [keptAt, setKeptAt] = useState<Date | null>(null);
  const autosave = useRef<LessonAutosave>(null);
  const first = useRef(writing);
  useEffect(() => {
    // The last save runs while the form is being removed, when the ref is empty already.
    const element = form.current;
    const made = createLessonAutosave({
      ...first.current,
      read: () => readDraft(element),
      // This runs before React handles the same keystroke: rendering now would put the field's old
      // text back, and the character would be lost.
      onState(next) {
        setTimeout(() => {
          setState(next);
          if (next === "kept") setKeptAt(new Date());
        });
      },
    });
    autosave.current = made;
    return listen(element, made);
  }, [form]);
  return { state, keptAt, autosave };
}

/** Sends lesson drafts that an earlier page could not send; they are then offered. */
export function useUnsentLessonDrafts(userId: string) {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      sendUnsentDrafts({
        userId,
        device: lessonDraftDevice,
        send: (draft) => sendLessonDraft(userId, draft),
        onArrived: revalidate,
      }),
    [userId, revalidate],
  );
}
