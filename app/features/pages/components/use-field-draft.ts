import { type RefObject, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { v7 } from "uuid";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { createDevice, discardDraft, sendDraft } from "~/ui/autosave.ts";
import { useAutosave } from "~/ui/use-autosave.ts";
import type { FieldValue, PageDraft, PageEditing } from "../schema.ts";

/** A draft of one place of a page in this browser, until the server has it. */
type LocalDraft = {
  page: string;
  field: string;
  draftId: string;
  revision: number;
  value: FieldValue;
  absorbed?: SeenDraft[];
  at?: number;
};

function isLocalDraft(value: unknown): value is LocalDraft {
  const { page, field, draftId } = (value ?? {}) as Partial<LocalDraft>;
  return Boolean(page && field && draftId);
}

const device = createDevice<LocalDraft>({
  name: "page",
  isItem: isLocalDraft,
  idOf: ({ draftId }) => draftId,
  countOf: ({ revision }) => revision,
});

/** Another text for this place: of another editor, or one that this browser could not send. */
export type OtherText = { from: "elsewhere" | "this-browser"; value: FieldValue; about: string };

const draftAddress = (page: string) => `/admin/pages/${encodeURIComponent(page)}/draft`;

/** Autosaves one place of a page, from the draft that is there. One that was changed elsewhere is not
 * overwritten: it comes as `other`, until the admin has chosen. */
export function useFieldDraft(
  form: RefObject<HTMLFormElement | null>,
  { page, userId, published, drafts }: PageEditing,
  { field, typed }: { field: string; typed: FieldValue | undefined },
) {
  const stored: PageDraft | undefined = drafts[field];
  const [known, setKnown] = useState<SeenDraft[]>(stored ? [seenOf(stored)] : []);
  const [value, show] = useState<FieldValue>(
    () => typed ?? stored?.value ?? published[field] ?? "",
  );
  const newest = useRef(value);
  const [unsent, setUnsent] = useState<LocalDraft | null>(null);
  const { revalidate } = useRevalidator();
  const [ownId] = useState(() => v7());
  const { state, draftId, autosave } = useAutosave<LocalDraft>(form, {
    ...{ userId, draftId: ownId, device, absorbed: known },
    read: (_, draft) => ({ page, field, ...draft, value: newest.current }),
    async send({ page: of, ...draft }, isBeingDeleted) {
      const result = await sendDraft(draftAddress(of), { userId, ...draft }, isBeingDeleted);
      // The next editor of this place, in this tab, starts from what is stored by then.
      if (result === "saved" || result === "refused") void revalidate();
      return result;
    },
  });
  useEffect(() => {
    const isLeft = (one: LocalDraft) => one.page === page && one.field === field;
    setUnsent(device.all(userId).find(isLeft) ?? null);
  }, [userId, page, field]);

  function write(next: FieldValue) {
    newest.current = next;
    show(next);
  }

  const isOther = stored && stored.id !== draftId && !known.some((one) => isEqual(one, stored));
  const other = otherText(isOther ? stored : null, unsent);
  function settle(text: FieldValue) {
    write(text);
    if (isOther) {
      setKnown((now) => [...now, seenOf(stored)]);
      autosave.current?.absorb(seenOf(stored));
    } else if (unsent) {
      device.drop(userId, unsent.draftId, unsent.revision);
      setUnsent(null);
      if (text === unsent.value) autosave.current?.changed();
    }
  }

  /** Back to the published text. */
  async function discard() {
    if (stored)
      await discardDraft(`${draftAddress(page)}?field=${field}`, seenOf(stored)).catch(() => null);
    write(published[field] ?? "");
    await revalidate();
  }

  return {
    ...{ state, value, other, settle, discard },
    /** The draft that was there, for the form without scripts. */
    seen: stored ? `${stored.id}:${stored.revision}` : "",
    /** What was typed; with `isTyped` false, the form's own event has said so already. */
    change(next: FieldValue, isTyped = true) {
      write(next);
      if (!isTyped) autosave.current?.changed();
    },
  };
}

const seenOf = ({ id, revision }: PageDraft): SeenDraft => ({ id, revision });
const isEqual = (one: SeenDraft, { id, revision }: PageDraft) =>
  one.id === id && one.revision === revision;

function otherText(
  stored: PageDraft | null | undefined,
  unsent: LocalDraft | null,
): OtherText | null {
  if (stored)
    return { from: "elsewhere", value: stored.value, about: `${stored.who}, ${stored.when}` };
  return unsent && { from: "this-browser", value: unsent.value, about: "" };
}
