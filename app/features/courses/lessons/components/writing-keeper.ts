import { createKeeper, type KeepState } from "~/ui/keeping/keeper.ts";
import type { DraftFields } from "../schema.ts";
import { giveUp, type LocalWriting, sendWriting, writingDevice } from "./writing-store.ts";

type Setup = {
  userId: string;
  lessonId: string;
  draftId: string;
  baseRevision: number;
  /** Older drafts whose words are in the form from the beginning. */
  continued: { id: string; saves: number }[];
  /** What the form holds now. */
  read: () => DraftFields;
  onState: (state: KeepState) => void;
};

/**
 * Keeps what is being typed into a lesson's form (ui/keeping), with the revision that it starts
 * from, and gives up older drafts after it; docs/decisions/015 goes through the cases.
 */
export function createWritingKeeper({ userId, lessonId, draftId, read, onState, ...setup }: Setup) {
  let { baseRevision, continued } = setup;
  const keeper = createKeeper<LocalWriting>({
    userId,
    draftId,
    device: writingDevice,
    read: (draftId, saves) => ({ lessonId, draftId, baseRevision, saves, fields: read() }),
    send: (draft, isLeaving) => sendWriting(userId, draft, isLeaving),
    onState,
    onKept: () => void giveUpContinued(),
  });

  /** Their words are on the server under this draft's name now. */
  async function giveUpContinued() {
    const given = continued;
    continued = [];
    for (const draft of given) if (!(await giveUp(lessonId, draft))) continued.push(draft);
  }

  return {
    ...keeper,
    /** @returns the drafts whose words are in the form that is sent, as it names them */
    submit(): string[] {
      const { count } = keeper.submit();
      return [{ id: draftId, saves: count }, ...continued].map(
        (draft) => `${draft.id}:${draft.saves}`,
      );
    },
    /** It was saved; what was typed since starts from there. */
    saved(revision: number) {
      baseRevision = revision;
      continued = [];
      keeper.saved();
    },
    /** Something else has broken it off: saving goes on. */
    interrupted: keeper.resume,
    /** It came back: saving goes on, from the revision that she knows of by now. */
    resume(revision: number) {
      baseRevision = revision;
      keeper.resume();
    },
  };
}

export type WritingKeeper = ReturnType<typeof createWritingKeeper>;
