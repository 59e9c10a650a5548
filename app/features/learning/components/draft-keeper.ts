import { createKeeper, isBeingWritten, type KeepState } from "~/ui/keeping/keeper.ts";
import type { Answer, SeenDraft } from "../schema.ts";
import { journalDevice, type LocalDraft, sendJournal } from "./draft-store.ts";

type Setup = {
  slug: string;
  userId: string;
  lessonId: string;
  draftId: string;
  /** What the boxes hold now. */
  read: () => Answer[];
  onState: (state: KeepState) => void;
  /** The words go on under another name, because theirs was sent or deleted elsewhere. */
  onDraftId: (draftId: string) => void;
};

/** Keeps what is being typed into one lesson's boxes (ui/keeping), and empties older drafts after it. */
export function createDraftKeeper({ slug, userId, lessonId, draftId, read, ...setup }: Setup) {
  /** Older drafts whose words are in the boxes now, from the revision `at` on. */
  let absorbed: (SeenDraft & { at: number })[] = [];
  const keeper = createKeeper<LocalDraft>({
    userId,
    draftId,
    device: journalDevice,
    read: (draftId, revision) => ({ lessonId, draftId, revision, answers: read() }),
    send: (draft, isLeaving) => sendJournal(slug, userId, draft, isLeaving),
    onState: setup.onState,
    onKept: (revision) => void emptyAbsorbed(revision),
    onDraftId(next) {
      absorbed = absorbed.map((older) => ({ ...older, at: 1 }));
      setup.onDraftId(next);
    },
  });

  /** Their words are on the server under this draft's name now: the older ones may go. */
  async function emptyAbsorbed(confirmed: number) {
    for (const { id, revision } of absorbed.filter(({ at }) => at <= confirmed)) {
      const emptied = { lessonId, draftId: id, revision: revision + 1, answers: [] };
      const result = await sendJournal(slug, userId, emptied);
      if (result === "kept" || typeof result === "object")
        absorbed = absorbed.filter((older) => older.id !== id);
    }
  }

  return {
    ...keeper,
    /** The words of an older draft were laid into the boxes. */
    absorb(older: SeenDraft) {
      absorbed.push({ ...older, at: keeper.changed() });
      keeper.flush();
      // This device needs them once.
      const isHeld = journalDevice.all(userId).some((draft) => isBeingWritten(draft.draftId));
      if (isHeld) journalDevice.drop(userId, older.id, older.revision);
    },
  };
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>;
