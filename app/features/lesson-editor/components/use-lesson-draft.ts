import { type RefObject, useRef } from "react";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { createDevice, discardDraft, type SendResult, sendDraft } from "~/ui/autosave.ts";
import { useAutosave, useUnsentDrafts } from "~/ui/use-autosave.ts";
import { type Fields, fieldNames } from "../messages.ts";
import type { DraftFields } from "../schema.ts";

/** A draft of a lesson in this browser, until the server has it. */
export type LocalLessonDraft = {
  lessonId: string;
  draftId: string;
  baseRevision: number;
  revision: number;
  fields: DraftFields;
  absorbed?: SeenDraft[];
  at?: number;
};

function isLessonDraft(value: unknown): value is LocalLessonDraft {
  const { fields, lessonId } = (value ?? {}) as Partial<LocalLessonDraft>;
  return typeof fields === "object" && fields !== null && Boolean(lessonId);
}

export const lessonDraftDevice = createDevice<LocalLessonDraft>({
  name: "lesson",
  isItem: isLessonDraft,
  idOf: ({ draftId }) => draftId,
  countOf: ({ revision }) => revision,
});

/** Sends a lesson draft to the server. Never throws. */
function sendLessonDraft(
  userId: string,
  { lessonId, ...draft }: LocalLessonDraft,
  isBeingDeleted = false,
): Promise<SendResult> {
  return sendDraft(`/admin/lessons/${lessonId}/draft`, { userId, ...draft }, isBeingDeleted);
}

/** {@link discardDraft} of a lesson. @returns whether the server received it */
export const discardLessonDraft = async (lessonId: string, draft: SeenDraft): Promise<boolean> =>
  (await discardDraft(`/admin/lessons/${lessonId}/draft`, draft)) !== null;

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

type Draft = {
  userId: string;
  lessonId: string;
  draftId: string;
  /** The lesson's revision that the form started from. */
  baseRevision: number;
  /** Older drafts whose text is in the form. */
  continued: SeenDraft[];
};

/** Autosaves a lesson's form. `base` is the lesson's revision that text typed from now on starts
 * from: the form sets it after a save, or once the user has seen another version. */
export function useLessonDraft(
  form: RefObject<HTMLFormElement | null>,
  { userId, lessonId, draftId, baseRevision, continued }: Draft,
) {
  const base = useRef(baseRevision);
  const draft = useAutosave<LocalLessonDraft>(form, {
    userId,
    draftId,
    device: lessonDraftDevice,
    absorbed: continued,
    read: (element, state) => ({
      lessonId,
      ...state,
      baseRevision: base.current,
      fields: readDraft(element),
    }),
    send: (draft, isBeingDeleted) => sendLessonDraft(userId, draft, isBeingDeleted),
  });
  return { ...draft, base };
}

/** Sends lesson drafts that an earlier page could not send; they are then offered. */
export function useUnsentLessonDrafts(userId: string): void {
  useUnsentDrafts(userId, lessonDraftDevice, (draft) => sendLessonDraft(userId, draft));
}
