/** It was sent or deleted meanwhile, so its name takes no more words; `next` is one that does. */
export type DraftGone = { next: string };
/** 'full': there is no room for more of this person's words. */
export type SendResult = "kept" | DraftGone | "signed-out" | "full" | "refused" | "unreachable";

const leavingBytes = 60_000;

/** Hands a draft to the server (PUT, JSON). Never throws: every outcome is one of these. */
export async function sendDraft(
  address: string,
  draft: object,
  isBeingDeleted: boolean,
): Promise<SendResult> {
  const body = new Blob([JSON.stringify(draft)], { type: "application/json" });
  try {
    const response = await fetch(address, {
      method: "PUT",
      body,
      keepalive: isBeingDeleted && body.size < leavingBytes,
      // Anyone who is not signed in is sent to the door: that is an answer too.
      redirect: "manual",
    });
    if (response.status === 204) return "kept";
    // A network that wants to be paid first answers with a page of its own.
    if (response.ok) {
      const { gone, next } = await response.json();
      return gone === true && next ? { next } : "unreachable";
    }
    if (response.type === "opaqueredirect" || response.status === 401) return "signed-out";
    if (response.status === 507) return "full";
    // What comes too fast is taken a little later.
    const isRefusal = response.status < 500 && response.status !== 429;
    return isRefusal ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}

type Kind<Item> = {
  /** The first part of the names under which they are stored. */
  name: string;
  isItem: (value: unknown) => value is Item;
  idOf: (item: Item) => string;
  /** Counts up with every change of one item. */
  countOf: (item: Item) => number;
};

export type Device<Item> = ReturnType<typeof createDevice<Item>>;

/**
 * What this browser holds until the server has it: items of one kind, each person's under their id.
 * Storage may be forbidden, full or altered by hand.
 */
export function createDevice<Item>({ name, isItem, idOf, countOf }: Kind<Item>) {
  const prefix = (userId: string) => `${name}:${userId}:`;

  function parsed(text: string | null): Item | null {
    try {
      const item: unknown = JSON.parse(text ?? "null");
      return isItem(item) ? item : null;
    } catch {
      return null;
    }
  }

  return {
    idOf,
    countOf,
    all(userId: string): Item[] {
      try {
        return Object.keys(localStorage)
          .filter((key) => key.startsWith(prefix(userId)))
          .map((key) => parsed(localStorage.getItem(key)))
          .filter((item) => item !== null);
      } catch {
        return [];
      }
    },
    /** @returns whether the browser took it */
    put(userId: string, item: Item): boolean {
      try {
        localStorage.setItem(prefix(userId) + idOf(item), JSON.stringify(item));
        return true;
      } catch {
        return false;
      }
    },
    /** Forgets an item, unless it was changed after `count`. */
    drop(userId: string, id: string, count: number): void {
      try {
        const held = parsed(localStorage.getItem(prefix(userId) + id));
        if (!held || countOf(held) <= count) localStorage.removeItem(prefix(userId) + id);
      } catch {
        // What cannot be reached cannot be there.
      }
    },
  };
}

/**
 * Where the words of a form are: nothing written, being kept, what stands in the way, or
 * 'only-here', when neither the server nor this browser takes them.
 */
export type AutosaveState = "idle" | "writing" | "only-here" | Exclude<SendResult, DraftGone>;

/** A draft up to one of its changes. */
type Seen = { id: string; revision: number };

/** A draft's id, how many changes it has, and the older drafts whose text is in it. */
export type DraftState = { draftId: string; revision: number; absorbed: Seen[] };

export type AutosaveSetup<Draft> = {
  userId: string;
  draftId: string;
  device: Device<Draft>;
  /** Older drafts whose text is in the form from the beginning. */
  absorbed?: Seen[];
  /** What the form holds now. */
  read: (state: DraftState) => Draft;
  send: (draft: Draft, isBeingDeleted: boolean) => Promise<SendResult>;
  onState: (state: AutosaveState) => void;
  /** The text goes on in another draft, as its first change, because this one takes no more. */
  onDraftId: (draftId: string) => void;
};

const localDelayMs = 200;
const serverDelayMs = 800;
const retryMs = 10_000;

const beingWritten = new Set<string>();

/** Whether a form of this page is writing this draft now. */
export const isBeingWritten = (draftId: string) => beingWritten.has(draftId);

export type Autosave = ReturnType<typeof createAutosave>;

/**
 * Keeps what is being typed into a form: on this device almost at once, on the server soon after.
 * Only what the server has confirmed is forgotten here. A draft has one writer, this form;
 * docs/decisions/003-drafts-and-autosave.md goes through the cases.
 */
export function createAutosave<Draft>(setup: AutosaveSetup<Draft>) {
  const { userId, device, read, send, onState } = setup;
  let { draftId } = setup;
  let count = 0;
  let confirmed = 0;
  /** What the form that is on its way holds. */
  let submitted: number | null = null;
  let isSending = false;
  let isOnDevice = true;
  let isRetry = false;
  /** Older drafts whose text is in the form, from the change `at` on. */
  let absorbed = (setup.absorbed ?? []).map((draft) => ({ ...draft, at: 0 }));
  let localTimer: number | undefined;
  let serverTimer: number | undefined;
  beingWritten.add(draftId);

  const stateAt = (revision: number): DraftState => ({
    draftId,
    revision,
    absorbed: absorbed.map(({ id, revision }) => ({ id, revision })),
  });

  function saveLocally() {
    clearTimeout(localTimer);
    localTimer = undefined;
    if (count > confirmed) isOnDevice = device.put(userId, read(stateAt(count)));
  }

  function changed(): number {
    count += 1;
    onState("writing");
    localTimer ??= window.setTimeout(saveLocally, localDelayMs);
    if (isRetry) stop();
    if (submitted === null) later(serverDelayMs);
    return count;
  }

  function later(delayMs: number) {
    serverTimer ??= window.setTimeout(() => void saveOnServer(), delayMs);
  }

  function stop() {
    clearTimeout(serverTimer);
    serverTimer = undefined;
    isRetry = false;
  }

  async function saveOnServer(isBeingDeleted = false) {
    stop();
    saveLocally();
    // A form on its way brings its words itself; what was typed since goes with the page.
    if (submitted !== null && !(isBeingDeleted && count > submitted)) return;
    if (count <= confirmed || (isSending && !isBeingDeleted)) return;
    isSending = true;
    const [name, sent] = [draftId, count];
    const started = performance.now();
    const result = await send(read(stateAt(sent)), isBeingDeleted);
    isSending = false;
    if (name !== draftId || submitted !== null) return;
    if (typeof result === "object") return goOnAs(result.next);
    if (result === "kept") {
      confirmed = Math.max(confirmed, sent);
      device.drop(userId, draftId, sent);
      absorbed = absorbed.filter(({ at }) => at > sent);
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
    absorbed = absorbed.map((older) => ({ ...older, at: 1 }));
    if (beingWritten.delete(given)) beingWritten.add(draftId);
    setup.onDraftId(draftId);
    saveLocally();
    device.drop(userId, given, Number.POSITIVE_INFINITY);
    void saveOnServer();
  }

  /** The page may be going away. */
  const flush = () => void saveOnServer(true);

  return {
    /** Something was typed or laid into the form. @returns how many changes that makes */
    changed,
    /** Tries again now, because something suggests that it may work. */
    retry: () => void saveOnServer(),
    flush,
    /** The form leaves the page. */
    close() {
      flush();
      beingWritten.delete(draftId);
    },
    /** The text of an older draft was put into the form, and with it what was `within` it. */
    absorb(older: Seen, within: Seen[] = []) {
      const at = changed();
      absorbed.push(...[older, ...within].map((draft) => ({ ...draft, at })));
      flush();
      // This device needs the text once; a full one may not have taken it a second time.
      const isOwn = (draft: Draft) =>
        device.idOf(draft) === draftId && device.countOf(draft) === at;
      if (device.all(userId).some(isOwn)) device.drop(userId, older.id, older.revision);
    },
    /** Whether this form has written something that is not saved. */
    hasWords: () => count > 0,
    /**
     * The form is being sent: saves stop until its outcome is known.
     * @returns the draft and the older ones whose text is in it
     */
    submit(): Seen[] {
      saveLocally();
      stop();
      submitted = count;
      return [{ id: draftId, revision: count }, ...stateAt(count).absorbed];
    },
    /** It was saved; what was typed since goes on from there. */
    saved() {
      confirmed = submitted ?? confirmed;
      submitted = null;
      absorbed = absorbed.filter(({ at }) => at > confirmed);
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

/**
 * Lets a keeper hear of what happens to its form: typing, a line that may be back, a page that may
 * be going away.
 * @returns ends it; the last save happens then
 */
export function listen(
  form: HTMLElement | null,
  { changed, retry, flush, close }: Pick<Autosave, "changed" | "retry" | "flush" | "close">,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const hidden = () => document.visibilityState === "hidden" && flush();
  form?.addEventListener("input", changed, { signal });
  addEventListener("online", retry, { signal });
  addEventListener("focus", retry, { signal });
  addEventListener("pagehide", flush, { signal });
  document.addEventListener("visibilitychange", hidden, { signal });
  return () => {
    close();
    ended.abort();
  };
}

type LeftBehind<Draft> = {
  userId: string;
  device: Device<Draft>;
  send: (draft: Draft) => Promise<SendResult>;
  /** The server has drafts that this page does not show yet. */
  onArrived: () => Promise<void>;
  /** These the server did not take: this device alone has them. */
  onLeft?: (drafts: Draft[]) => void;
};

/**
 * Hands over what earlier pages could not, now and whenever the line comes back: drafts that this
 * device still holds, but for those that this page is writing. Those that were sent or given up
 * meanwhile are forgotten.
 * @returns ends it
 */
export function sendUnsentDrafts<Draft>({
  userId,
  device,
  send,
  onArrived,
  onLeft,
}: LeftBehind<Draft>) {
  async function work() {
    let arrived = false;
    const left: Draft[] = [];
    for (const draft of device.all(userId)) {
      if (isBeingWritten(device.idOf(draft))) continue;
      const result = await send(draft);
      if (result === "kept") arrived = true;
      if (result === "kept" || typeof result === "object")
        device.drop(userId, device.idOf(draft), device.countOf(draft));
      else left.push(draft);
    }
    onLeft?.(left);
    if (arrived) await onArrived();
  }
  void work();
  addEventListener("online", work);
  return () => removeEventListener("online", work);
}
