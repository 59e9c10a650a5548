import { createKeeper, type KeepState } from "~/ui/keeping/keeper.ts";
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

/**
 * Keeps what is being typed into one lesson's boxes (ui/keeping). The server gives up the older
 * drafts that were restored into them with the saving that brings their words.
 */
export function createDraftKeeper({ slug, userId, lessonId, draftId, read, ...setup }: Setup) {
  let own = draftId;
  /** Older drafts whose words are in the boxes now, from the revision `at` on. */
  let absorbed: (SeenDraft & { at: number })[] = [];
  const keeper = createKeeper<LocalDraft>({
    userId,
    draftId,
    device: journalDevice,
    read: (draftId, revision) => ({
      ...{ lessonId, draftId, revision, answers: read() },
      absorbed: absorbed.map(({ id, revision }) => ({ id, revision })),
    }),
    send: (draft, isLeaving) => sendJournal(slug, userId, draft, isLeaving),
    onState: setup.onState,
    onKept(revision) {
      absorbed = absorbed.filter(({ at }) => at > revision);
    },
    onDraftId(next) {
      own = next;
      absorbed = absorbed.map((older) => ({ ...older, at: 1 }));
      setup.onDraftId(next);
    },
  });

  return {
    ...keeper,
    /** The words of an older draft were laid into the boxes, and with them those `within` it. */
    absorb(older: SeenDraft, within: SeenDraft[] = []) {
      const at = keeper.changed();
      absorbed.push(...[older, ...within].map((draft) => ({ ...draft, at })));
      keeper.flush();
      // This device needs them once; a full one may not have taken them a second time.
      const isHeld = journalDevice
        .all(userId)
        .some((draft) => draft.draftId === own && draft.revision === at);
      if (isHeld) journalDevice.drop(userId, older.id, older.revision);
    },
  };
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>;
