import type { Answer } from "../schema.ts";
import { dropLocal, type LocalDraft, putLocal, type SendResult, sendDraft } from "./draft-store.ts";

/** Where the words of the boxes are: nothing written, being kept, or what stands in the way. */
export type KeepState = "idle" | "writing" | SendResult;

type Setup = {
  slug: string;
  userId: string;
  lessonId: string;
  draftId: string;
  revision: number;
  /** What the boxes hold now. */
  read: () => Answer[];
  onState: (state: KeepState) => void;
};

const localDelayMs = 250;
const serverDelayMs = 900;
const retryMs = 10_000;

/**
 * Keeps what is being typed into one lesson's boxes: on this device almost at once, on
 * the server soon after. Only what the server has confirmed is forgotten here.
 */
export function createDraftKeeper({ slug, userId, lessonId, read, onState, ...initial }: Setup) {
  let { draftId, revision } = initial;
  let confirmed = revision;
  let submitted = false;
  let localTimer: number | undefined;
  let serverTimer: number | undefined;
  let sending = false;

  const current = (): LocalDraft => ({
    lessonId,
    draftId,
    revision,
    answers: read(),
    savedAt: new Date().toISOString(),
    ...(submitted ? { submitted } : {}),
  });

  function keepLocal() {
    clearTimeout(localTimer);
    localTimer = undefined;
    if (revision > confirmed) putLocal(userId, current());
  }

  async function keepOnServer(keepalive = false) {
    clearTimeout(serverTimer);
    if (submitted || revision <= confirmed || (sending && !keepalive)) return;
    keepLocal();
    sending = true;
    const draft = current();
    const result = await sendDraft(slug, draft, keepalive);
    sending = false;
    if (draft.draftId !== draftId) return;
    if (result === "kept") {
      confirmed = Math.max(confirmed, draft.revision);
      dropLocal(userId, draftId, draft.revision);
    }
    if (submitted) return;
    onState(revision > draft.revision ? "writing" : result);
    if (revision > confirmed && result !== "refused" && result !== "signed-out")
      serverTimer = window.setTimeout(keepOnServer, result === "kept" ? serverDelayMs : retryMs);
  }

  function changed() {
    revision += 1;
    localTimer ??= window.setTimeout(keepLocal, localDelayMs);
    clearTimeout(serverTimer);
    serverTimer = window.setTimeout(keepOnServer, serverDelayMs);
  }

  return {
    changed() {
      changed();
      onState("writing");
    },
    /** Tries again now, because something suggests that it may work. */
    retry: () => void keepOnServer(),
    /** The page may be going away. */
    flush: () => void keepOnServer(true),
    /** Goes on writing in an older draft, whose words are in the boxes now; this one is given up. */
    adopt(older: { id: string; revision: number }) {
      const given = { ...current(), revision: revision + 1, answers: [] };
      void sendDraft(slug, given);
      dropLocal(userId, draftId, given.revision);
      draftId = older.id;
      revision = older.revision;
      confirmed = older.revision;
      changed();
    },
    /** The boxes are being sent: saves stop, and the local copy waits for the outcome. */
    submit() {
      keepLocal();
      clearTimeout(serverTimer);
      submitted = true;
      if (revision > confirmed) putLocal(userId, current());
    },
    /** The boxes came back: saving goes on. */
    resume() {
      if (!submitted) return;
      submitted = false;
      changed();
    },
    draftId: () => draftId,
  };
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>;
