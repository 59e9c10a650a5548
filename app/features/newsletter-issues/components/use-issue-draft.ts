import { type RefObject, useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { v7 } from "uuid";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { createDevice, sendDraft } from "~/ui/autosave.ts";
import { useAutosave } from "~/ui/use-autosave.ts";
import { adminIssuePath } from "../messages.ts";
import type { IssueWords } from "../schema.ts";

/** An issue in this browser, until the server has it. */
type LocalIssue = IssueWords & {
  issueId: string;
  draftId: string;
  revision: number;
  absorbed?: SeenDraft[];
  at?: number;
};

const device = createDevice<LocalIssue>({
  name: "issue",
  isItem(value): value is LocalIssue {
    const { issueId, draftId } = (value ?? {}) as Partial<LocalIssue>;
    return Boolean(issueId && draftId);
  },
  idOf: ({ draftId }) => draftId,
  countOf: ({ revision }) => revision,
});

/** The words as they are stored, and the save that they are of. */
export type StoredIssue = SeenDraft & { words: IssueWords };

/** Words for this issue from elsewhere: another editor, or this browser, which could not send them. */
export type OtherIssue = { from: "elsewhere" | "this-browser"; words: IssueWords };

export function readWords(form: HTMLFormElement | null): IssueWords {
  const typed = form ? new FormData(form) : null;
  const text = (name: string) => String(typed?.get(name) ?? "").replaceAll("\r\n", "\n");
  return { subject: text("subject"), preview: text("preview"), body: text("body") };
}

/** Autosaves an issue, from what is stored. What was saved elsewhere since is not overwritten: it comes as
 * `other`, until the admin has chosen. */
export function useIssueDraft(
  form: RefObject<HTMLFormElement | null>,
  { userId, issueId, stored }: { userId: string; issueId: string; stored: StoredIssue },
) {
  const [known, setKnown] = useState<SeenDraft[]>([seenOf(stored)]);
  const [unsent, setUnsent] = useState<LocalIssue | null>(null);
  const { revalidate } = useRevalidator();
  const [ownId] = useState(() => v7());
  const { state, savedAt, draftId, autosave } = useAutosave<LocalIssue>(form, {
    ...{ userId, draftId: ownId, device, absorbed: known },
    read: (element, draft) => ({ issueId, ...draft, ...readWords(element) }),
    async send({ issueId: of, ...draft }, isBeingDeleted) {
      const path = `${adminIssuePath(of)}/draft`;
      const result = await sendDraft(path, { userId, ...draft }, isBeingDeleted);
      if (result === "refused") void revalidate();
      return result;
    },
  });
  useEffect(() => {
    setUnsent(device.all(userId).find((one) => one.issueId === issueId) ?? null);
  }, [userId, issueId]);

  const isOther =
    stored.id !== draftId &&
    !known.some(({ id, revision }) => id === stored.id && revision === stored.revision);
  const other: OtherIssue | null = isOther
    ? { from: "elsewhere", words: stored.words }
    : unsent && { from: "this-browser", words: unsent };

  /** Goes on with one of the two texts. */
  function settle(words: IssueWords) {
    fill(form.current, words);
    if (isOther) {
      setKnown((now) => [...now, seenOf(stored)]);
      autosave.current?.absorb(seenOf(stored));
    } else if (unsent) {
      device.drop(userId, unsent.draftId, unsent.revision);
      setUnsent(null);
      autosave.current?.changed();
    }
  }

  return { state, savedAt, autosave, other, settle };
}

const seenOf = ({ id, revision }: SeenDraft): SeenDraft => ({ id, revision });

/** The fields own their text: what is put into them is as if it had been typed. */
function fill(form: HTMLFormElement | null, words: IssueWords) {
  for (const [name, value] of Object.entries(words)) {
    const field = form?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
    if (field.value === value) continue;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
