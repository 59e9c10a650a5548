import type { DraftFields } from "../schema.ts";
import {
  dropLocal,
  giveUp,
  type LocalWriting,
  putLocal,
  type SendResult,
  sendWriting,
} from "./writing-store.ts";

/**
 * Where the words of the form are: nothing written, being kept, what stands in the way, or
 * 'only-here', when neither the server nor this browser takes them.
 */
export type KeepState = "idle" | "writing" | "only-here" | SendResult;

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

const localDelayMs = 200;
const serverDelayMs = 800;
const retryMs = 10_000;

/**
 * Keeps what is being typed into a lesson's form: on this device almost at once, on the server
 * soon after. Only what the server has confirmed is forgotten here. A draft has one writer, this
 * page; docs/decisions/003-drafts.md and 015 go through the cases.
 */
export function createWritingKeeper({ userId, lessonId, draftId, read, onState, ...setup }: Setup) {
  let { baseRevision, continued } = setup;
  let saves = 0;
  let confirmed = 0;
  /** What the form that is on its way holds. */
  let submitted: number | null = null;
  let isSending = false;
  let isOnDevice = true;
  let localTimer: number | undefined;
  let serverTimer: number | undefined;

  const current = (): LocalWriting => ({
    lessonId,
    draftId,
    baseRevision,
    saves,
    fields: read(),
  });

  function keepLocal() {
    clearTimeout(localTimer);
    localTimer = undefined;
    if (saves > confirmed) isOnDevice = putLocal(userId, current());
  }

  function changed() {
    saves += 1;
    onState("writing");
    localTimer ??= window.setTimeout(keepLocal, localDelayMs);
    if (submitted === null) later(serverDelayMs);
  }

  function later(delayMs: number) {
    serverTimer ??= window.setTimeout(() => void keepOnServer(), delayMs);
  }

  async function keepOnServer(isLeaving = false) {
    clearTimeout(serverTimer);
    serverTimer = undefined;
    keepLocal();
    // A form on its way brings its words itself; what was typed since goes with the page.
    if (submitted !== null && !(isLeaving && saves > submitted)) return;
    if (saves <= confirmed || (isSending && !isLeaving)) return;
    isSending = true;
    const draft = current();
    const started = performance.now();
    const result = await sendWriting(userId, draft, isLeaving);
    isSending = false;
    if (submitted !== null) return;
    if (result === "kept") {
      confirmed = Math.max(confirmed, draft.saves);
      dropLocal(userId, draftId, draft.saves);
      void giveUpContinued();
    }
    if (result !== "kept" && !isOnDevice) onState("only-here");
    else onState(saves > draft.saves && result === "kept" ? "writing" : result);
    if (saves <= confirmed || result === "refused" || result === "signed-out") return;
    // A long text over a thin line leaves room for whatever else is on its way.
    const slow = 2 * (performance.now() - started);
    later(result === "kept" ? Math.max(serverDelayMs, slow) : retryMs);
  }

  /** Their words are on the server under this draft's name now. */
  async function giveUpContinued() {
    const given = continued;
    continued = [];
    for (const draft of given) if (!(await giveUp(lessonId, draft))) continued.push(draft);
  }

  return {
    changed,
    /** Tries again now, because something suggests that it may work. */
    retry: () => void keepOnServer(),
    /** The page may be going away. */
    flush: () => void keepOnServer(true),
    /** Whether this page has written something that is not saved. */
    hasWords: () => saves > 0,
    /**
     * The form is being sent: saves stop until its outcome is known.
     * @returns the drafts whose words are in it, as the form names them
     */
    submit(): string[] {
      keepLocal();
      clearTimeout(serverTimer);
      serverTimer = undefined;
      submitted = saves;
      return [{ id: draftId, saves }, ...continued].map((draft) => `${draft.id}:${draft.saves}`);
    },
    /** It was saved; what was typed since starts from there. */
    saved(revision: number) {
      baseRevision = revision;
      confirmed = submitted ?? confirmed;
      continued = [];
      submitted = null;
      dropLocal(userId, draftId, confirmed);
      if (saves > confirmed) later(serverDelayMs);
      else onState("idle");
    },
    /** It came back: saving goes on, from the revision that she knows of by now. */
    resume(revision: number) {
      baseRevision = revision;
      if (submitted === null) return;
      submitted = null;
      changed();
    },
  };
}

export type WritingKeeper = ReturnType<typeof createWritingKeeper>;
