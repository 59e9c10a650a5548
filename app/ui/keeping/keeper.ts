import type { Device } from "./device.ts";
import type { Gone, SendResult } from "./send.ts";

/**
 * Where the words of a form are: nothing written, being kept, what stands in the way, or
 * 'only-here', when neither the server nor this browser takes them.
 */
export type KeepState = "idle" | "writing" | "only-here" | Exclude<SendResult, Gone>;

type Setup<Draft> = {
  userId: string;
  draftId: string;
  device: Device<Draft>;
  /** What the form holds now, under this name, after so many changes. */
  read: (draftId: string, count: number) => Draft;
  send: (draft: Draft, isLeaving: boolean) => Promise<SendResult>;
  onState: (state: KeepState) => void;
  /** The server has everything up to this change. */
  onKept: (count: number) => void;
  /** The words go on under another name, as its first change, because theirs takes no more. */
  onDraftId?: (draftId: string) => void;
};

const localDelayMs = 200;
const serverDelayMs = 800;
const retryMs = 10_000;

const beingWritten = new Set<string>();

/** Whether a form of this page is writing this draft now. */
export const isBeingWritten = (draftId: string) => beingWritten.has(draftId);

export type Keeper = ReturnType<typeof createKeeper>;

/**
 * Keeps what is being typed into a form: on this device almost at once, on the server soon after.
 * Only what the server has confirmed is forgotten here. A draft has one writer, this form;
 * docs/decisions/003-drafts.md goes through the cases.
 */
export function createKeeper<Draft>(setup: Setup<Draft>) {
  const { userId, device, read, send, onState } = setup;
  let { draftId } = setup;
  let count = 0;
  let confirmed = 0;
  /** What the form that is on its way holds. */
  let submitted: number | null = null;
  let isSending = false;
  let isOnDevice = true;
  let isRetry = false;
  let localTimer: number | undefined;
  let serverTimer: number | undefined;
  beingWritten.add(draftId);

  function keepLocal() {
    clearTimeout(localTimer);
    localTimer = undefined;
    if (count > confirmed) isOnDevice = device.put(userId, read(draftId, count));
  }

  function changed(): number {
    count += 1;
    onState("writing");
    localTimer ??= window.setTimeout(keepLocal, localDelayMs);
    if (isRetry) stop();
    if (submitted === null) later(serverDelayMs);
    return count;
  }

  function later(delayMs: number) {
    serverTimer ??= window.setTimeout(() => void keepOnServer(), delayMs);
  }

  function stop() {
    clearTimeout(serverTimer);
    serverTimer = undefined;
    isRetry = false;
  }

  async function keepOnServer(isLeaving = false) {
    stop();
    keepLocal();
    // A form on its way brings its words itself; what was typed since goes with the page.
    if (submitted !== null && !(isLeaving && count > submitted)) return;
    if (count <= confirmed || (isSending && !isLeaving)) return;
    isSending = true;
    const [name, sent] = [draftId, count];
    const started = performance.now();
    const result = await send(read(name, sent), isLeaving);
    isSending = false;
    if (name !== draftId || submitted !== null) return;
    if (typeof result === "object") return goOnAs(result.next);
    if (result === "kept") {
      confirmed = Math.max(confirmed, sent);
      device.drop(userId, draftId, sent);
      setup.onKept(confirmed);
    }
    // A later save has brought everything meanwhile.
    if (result !== "kept" && count <= confirmed) return;
    if (result !== "kept" && !isOnDevice) onState("only-here");
    else onState(count > confirmed && result === "kept" ? "writing" : result);
    if (count <= confirmed || result === "refused" || result === "signed-out") return;
    if (serverTimer !== undefined) return;
    isRetry = result !== "kept";
    // A long text over a thin line leaves room for whatever else is on its way.
    const slow = 2 * (performance.now() - started);
    later(isRetry ? retryMs : Math.max(serverDelayMs, slow));
  }

  function goOnAs(next: string) {
    const given = draftId;
    draftId = next;
    count = 1;
    confirmed = 0;
    if (beingWritten.delete(given)) beingWritten.add(draftId);
    setup.onDraftId?.(draftId);
    keepLocal();
    device.drop(userId, given, Number.POSITIVE_INFINITY);
    void keepOnServer();
  }

  /** The page may be going away. */
  const flush = () => void keepOnServer(true);

  return {
    /** Something was typed or laid into the form. @returns how many changes that makes */
    changed,
    /** Tries again now, because something suggests that it may work. */
    retry: () => void keepOnServer(),
    flush,
    /** The form leaves the page. */
    close() {
      flush();
      beingWritten.delete(draftId);
    },
    /** Whether this form has written something that is not saved. */
    hasWords: () => count > 0,
    /**
     * The form is being sent: saves stop until its outcome is known.
     * @returns the draft and how many of its changes are in it
     */
    submit() {
      keepLocal();
      stop();
      submitted = count;
      return { draftId, count };
    },
    /** It was saved; what was typed since goes on from there. */
    saved() {
      confirmed = submitted ?? confirmed;
      submitted = null;
      device.drop(userId, draftId, confirmed);
      if (count > confirmed) later(serverDelayMs);
      else onState("idle");
    },
    /** It came back: saving goes on. */
    resume() {
      if (submitted === null) return;
      submitted = null;
      changed();
    },
  };
}
