import { v7 } from "uuid";
import type { Answer, SeenDraft } from "../schema.ts";
import { dropLocal, type LocalDraft, putLocal, type SendResult, sendDraft } from "./draft-store.ts";

/**
 * Where the words of the boxes are: nothing written, being kept, what stands in the way, or
 * 'only-here', when neither the server nor this browser takes them.
 */
export type KeepState = "idle" | "writing" | "only-here" | Exclude<SendResult, "gone">;

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

const localDelayMs = 250;
const serverDelayMs = 900;
const retryMs = 10_000;

/**
 * Keeps what is being typed into one lesson's boxes: on this device almost at once, on
 * the server soon after. Only what the server has confirmed is forgotten here. A draft has
 * one writer, this page; docs/decisions/003-drafts.md goes through the cases.
 */
export function createDraftKeeper({ slug, userId, lessonId, read, ...setup }: Setup) {
  let { draftId } = setup;
  let revision = 0;
  let confirmed = 0;
  let isSubmitted = false;
  let isSending = false;
  let isOnDevice = true;
  let localTimer: number | undefined;
  let serverTimer: number | undefined;
  /** Older drafts whose words are in the boxes now, from the revision `at` on. */
  let absorbed: (SeenDraft & { at: number })[] = [];

  const current = (): LocalDraft => ({
    lessonId,
    draftId,
    revision,
    answers: read(),
    savedAt: new Date().toISOString(),
  });

  function keepLocal() {
    clearTimeout(localTimer);
    localTimer = undefined;
    if (revision > confirmed) isOnDevice = putLocal(userId, current());
  }

  function changed() {
    revision += 1;
    localTimer ??= window.setTimeout(keepLocal, localDelayMs);
    clearTimeout(serverTimer);
    serverTimer = window.setTimeout(keepOnServer, serverDelayMs);
  }

  async function keepOnServer(isLeaving = false) {
    clearTimeout(serverTimer);
    if (isSubmitted || revision <= confirmed || (isSending && !isLeaving)) return;
    keepLocal();
    isSending = true;
    const draft = current();
    const result = await sendDraft(slug, userId, draft, isLeaving);
    isSending = false;
    if (draft.draftId !== draftId || isSubmitted) return;
    if (result === "gone") return goOnUnderAnotherName();
    if (result === "kept") {
      confirmed = Math.max(confirmed, draft.revision);
      dropLocal(userId, draftId, draft.revision);
      void emptyAbsorbed();
    }
    report(result, draft.revision);
    if (revision > confirmed && result !== "refused" && result !== "signed-out")
      serverTimer = window.setTimeout(keepOnServer, result === "kept" ? serverDelayMs : retryMs);
  }

  function report(result: Exclude<SendResult, "gone">, sent: number) {
    if (result !== "kept" && !isOnDevice) setup.onState("only-here");
    else setup.onState(revision > sent ? "writing" : result);
  }

  function goOnUnderAnotherName() {
    const given = draftId;
    draftId = v7();
    revision = 1;
    confirmed = 0;
    absorbed = absorbed.map((older) => ({ ...older, at: 1 }));
    setup.onDraftId(draftId);
    keepLocal();
    dropLocal(userId, given, Number.MAX_SAFE_INTEGER);
    void keepOnServer();
  }

  /** Their words are on the server under this draft's name now: the older ones may go. */
  async function emptyAbsorbed() {
    for (const older of absorbed.filter(({ at }) => at <= confirmed)) {
      const emptied = {
        ...current(),
        draftId: older.id,
        revision: older.revision + 1,
        answers: [],
      };
      const result = await sendDraft(slug, userId, emptied);
      if (result === "kept" || result === "gone")
        absorbed = absorbed.filter(({ id }) => id !== older.id);
    }
  }

  return {
    changed() {
      changed();
      setup.onState("writing");
    },
    /** Tries again now, because something suggests that it may work. */
    retry: () => void keepOnServer(),
    /** The page may be going away. */
    flush: () => void keepOnServer(true),
    /** The words of an older draft were laid into the boxes. */
    absorb(older: SeenDraft) {
      changed();
      absorbed.push({ ...older, at: revision });
    },
    /**
     * The boxes are being sent: saves stop, and the local copy waits for the outcome.
     * @returns the revision that is sent
     */
    submit() {
      keepLocal();
      clearTimeout(serverTimer);
      isSubmitted = true;
      return revision;
    },
    /** The boxes came back: saving goes on. */
    resume() {
      if (!isSubmitted) return;
      isSubmitted = false;
      changed();
    },
  };
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>;
