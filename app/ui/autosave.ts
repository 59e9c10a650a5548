/** The draft was sent or deleted meanwhile; `next` is the id of a new one for its text. */
export type DraftGone = { next: string };
/** 'full': the user's storage is used up. */
export type SendResult = "saved" | DraftGone | "signed-out" | "full" | "refused" | "unreachable";

const leavingBytes = 60_000;

/** Sends a draft to the server (PUT, JSON), with how long ago it was typed. Never throws. */
export async function sendDraft(
  address: string,
  { at, ...draft }: Record<string, unknown>,
  isBeingDeleted: boolean,
): Promise<SendResult> {
  // The clock of the device may have been set meanwhile.
  const agoMs = typeof at === "number" ? Math.min(Math.max(0, Date.now() - at), 1e12) : 0;
  const body = new Blob([JSON.stringify({ ...draft, agoMs })], { type: "application/json" });
  try {
    const response = await fetch(address, {
      method: "PUT",
      body,
      keepalive: isBeingDeleted && body.size < leavingBytes,
      // A user who is signed out is redirected to the sign-in page.
      redirect: "manual",
    });
    if (response.status === 204) return "saved";
    // A captive portal answers with a page of its own.
    if (response.ok) {
      const { gone, next } = await response.json();
      return gone === true && next ? { next } : "unreachable";
    }
    if (response.type === "opaqueredirect" || response.status === 401) return "signed-out";
    if (response.status === 507) return "full";
    // A save that came too fast is retried.
    const isRefusal = response.status < 500 && response.status !== 429;
    return isRefusal ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}

/** Discards a draft, at the user's request. @returns null: the server did not receive it; `changed`:
 * a toast that says why the draft was kept */
export async function discardDraft(
  address: string,
  { id, revision }: { id: string; revision: number },
): Promise<{ changed?: unknown } | null> {
  try {
    const body = new URLSearchParams({ draft: `${id}:${revision}` });
    const headers = { Accept: "application/json" };
    const response = await fetch(address, { method: "POST", body, headers, redirect: "manual" });
    // The answer redirects back to this page; a signed-out user is redirected elsewhere.
    if (response.type === "opaqueredirect") return {};
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

type Kind<Item> = {
  /** The first part of the storage keys. */
  name: string;
  isItem: (value: unknown) => value is Item;
  idOf: (item: Item) => string;
  /** Counts up with every change of one item. */
  countOf: (item: Item) => number;
};

export type Device<Item> = ReturnType<typeof createDevice<Item>>;

/** Drafts of one kind in this browser's storage, by user, until the server has them. Storage may be
 * forbidden, full or altered by hand. */
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
    /** @returns whether the browser stored it */
    put(userId: string, item: Item): boolean {
      try {
        localStorage.setItem(prefix(userId) + idOf(item), JSON.stringify(item));
        return true;
      } catch {
        return false;
      }
    },
    /** The item as this browser has it, if it was changed after `count`. */
    newer(userId: string, id: string, count: number): Item | undefined {
      return this.all(userId).find((item) => idOf(item) === id && countOf(item) > count);
    },
    /** Deletes an item, unless it was changed after `count`. */
    drop(userId: string, id: string, count: number): void {
      try {
        const held = parsed(localStorage.getItem(prefix(userId) + id));
        if (!held || countOf(held) <= count) localStorage.removeItem(prefix(userId) + id);
      } catch {
        // Storage that cannot be read holds nothing.
      }
    },
  };
}

/** Where the text of a form is. 'only-here': neither the server nor this browser has stored it. */
export type AutosaveState = "idle" | "writing" | "only-here" | Exclude<SendResult, DraftGone>;

/** A draft up to one of its changes. */
type Seen = { id: string; revision: number };

/** A draft's id, how many changes it has, the older drafts whose text is in it, and when it was last
 * changed, in ms by the clock of the device. */
export type DraftState = { draftId: string; revision: number; absorbed: Seen[]; at?: number };

export type AutosaveSetup<Draft> = {
  userId: string;
  draftId: string;
  device: Device<Draft>;
  /** Older drafts whose text is in the form from the beginning: the first save absorbs them. */
  absorbed: Seen[];
  read: (state: DraftState) => Draft;
  send: (draft: Draft, isBeingDeleted: boolean) => Promise<SendResult>;
  onState: (state: AutosaveState) => void;
  /** The draft was sent or deleted elsewhere: the text continues in this one. */
  onDraftId: (draftId: string) => void;
};

const localDelayMs = 200;
const serverDelayMs = 800;
const retryMs = 10_000;

const confirmedKey = "draft-confirmed";

/** Notes for the tab's next document that the server has a draft. No text is in it. */
function noteConfirmed() {
  try {
    // One clock for all documents of a tab.
    const note = { by: performance.timeOrigin, at: performance.timeOrigin + performance.now() };
    sessionStorage.setItem(confirmedKey, JSON.stringify(note));
  } catch {
    // The page may show older text then, until it is loaded again.
  }
}

/** Whether an earlier document of this tab had a draft confirmed after this one was asked for: then
 * what this one says of drafts is older than what the server has. */
function isOlderThanDrafts(): boolean {
  try {
    const { by, at } = JSON.parse(sessionStorage.getItem(confirmedKey) ?? "{}");
    return by !== performance.timeOrigin && at > performance.timeOrigin;
  } catch {
    return false;
  }
}

const beingWritten = new Set<string>();

export const isBeingWritten = (draftId: string) => beingWritten.has(draftId);

export type Autosave = ReturnType<typeof createAutosave>;

/** Autosaves a form: in this browser after 200 ms, on the server after 800 ms. The browser's copy is
 * deleted when the server has confirmed it. A draft has one writer, this form
 * (docs/decisions/003-drafts-and-autosave.md). */
export function createAutosave<Draft>(setup: AutosaveSetup<Draft>) {
  const { userId, device, read, send, onState } = setup;
  let { draftId } = setup;
  let count = 0;
  let changedAt = 0;
  let confirmed = 0;
  /** The last change that is in the submitted form. */
  let submitted: number | null = null;
  let isSending = false;
  let isOnDevice = true;
  let isRetry = false;
  /** Older drafts whose text is in the form, from the change `at` on. */
  let absorbed = setup.absorbed.map((draft) => ({ ...draft, at: 0 }));
  let localTimer: ReturnType<typeof setTimeout> | undefined;
  let serverTimer: ReturnType<typeof setTimeout> | undefined;
  beingWritten.add(draftId);

  const stateAt = (revision: number): DraftState => ({
    draftId,
    revision,
    absorbed: absorbed.map(({ id, revision }) => ({ id, revision })),
    at: changedAt,
  });

  function saveLocally() {
    clearTimeout(localTimer);
    localTimer = undefined;
    if (count > confirmed) isOnDevice = device.put(userId, read(stateAt(count)));
  }

  function changed(): number {
    count += 1;
    changedAt = Date.now();
    onState("writing");
    localTimer ??= setTimeout(saveLocally, localDelayMs);
    if (isRetry) stop();
    if (submitted === null) later(serverDelayMs);
    return count;
  }

  function later(delayMs: number) {
    serverTimer ??= setTimeout(() => void saveOnServer(), delayMs);
  }

  function stop() {
    clearTimeout(serverTimer);
    serverTimer = undefined;
    isRetry = false;
  }

  async function saveOnServer(isBeingDeleted = false) {
    stop();
    saveLocally();
    // The submitted form has its text; only later changes are sent when the page closes.
    if (submitted !== null && !(isBeingDeleted && count > submitted)) return;
    if (count <= confirmed || (isSending && !isBeingDeleted)) return;
    isSending = true;
    const [name, sent] = [draftId, count];
    const started = performance.now();
    const result = await send(read(stateAt(sent)), isBeingDeleted);
    isSending = false;
    if (name !== draftId || submitted !== null) return;
    if (typeof result === "object") return goOnAs(result.next);
    if (result === "saved") {
      confirmed = Math.max(confirmed, sent);
      noteConfirmed();
      device.drop(userId, draftId, sent);
      for (const { id, revision, at } of absorbed)
        if (at <= sent) device.drop(userId, id, revision);
      absorbed = absorbed.filter(({ at }) => at > sent);
    }
    // A later save has sent everything.
    if (result !== "saved" && count <= confirmed) return;
    if (result !== "saved" && !isOnDevice) onState("only-here");
    else onState(count > confirmed && result === "saved" ? "writing" : result);
    if (count <= confirmed || result === "refused" || result === "signed-out") return;
    if (serverTimer !== undefined) return;
    isRetry = result !== "saved";
    // A slow upload leaves bandwidth for other requests.
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

  /** The page may be closed. */
  const flush = () => void saveOnServer(true);

  return {
    /** The form's text changed. @returns the number of changes */
    changed,
    /** Retries now: the connection may be back. */
    retry: () => void saveOnServer(),
    flush,
    /** The form is removed from the page. */
    close() {
      flush();
      beingWritten.delete(draftId);
    },
    /** Unchanged as it is, the form begins with the text of these drafts instead. */
    begin(drafts: Seen[]) {
      absorbed = drafts.map(({ id, revision }) => ({ id, revision, at: 0 }));
    },
    /** The text of an older draft was put into the form, and with it what was `within` it. */
    absorb(older: Seen, within: Seen[] = []) {
      const at = changed();
      absorbed.push(...[older, ...within].map(({ id, revision }) => ({ id, revision, at })));
      flush();
      // Deleted only if the new draft is stored: a full browser may have refused it.
      const isOwn = (draft: Draft) =>
        device.idOf(draft) === draftId && device.countOf(draft) === at;
      if (device.all(userId).some(isOwn)) device.drop(userId, older.id, older.revision);
    },
    /** Whether the form was changed, or is being submitted as it is. */
    hasWords: () => count > 0 || submitted !== null,
    /** The form is being submitted: autosave stops until its outcome is known.
     * @returns the draft and the older ones whose text is in it */
    submit(): Seen[] {
      saveLocally();
      stop();
      submitted = count;
      return [{ id: draftId, revision: count }, ...stateAt(count).absorbed];
    },
    /** The form was saved; later changes are autosaved again. */
    saved() {
      confirmed = submitted ?? confirmed;
      submitted = null;
      absorbed = absorbed.filter(({ at }) => at > confirmed);
      device.drop(userId, draftId, confirmed);
      if (count > confirmed) later(serverDelayMs);
      else onState("idle");
    },
    /** The form was refused: autosave goes on. */
    resume() {
      if (submitted === null) return;
      submitted = null;
      changed();
    },
  };
}

/** Connects an autosave with its form and page. @returns disconnects it, with a last save */
export function listen(
  form: HTMLElement | null,
  { changed, retry, flush, close }: Pick<Autosave, "changed" | "retry" | "flush" | "close">,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const hidden = () => document.visibilityState === "hidden" && flush();
  // The user has signed in again, in another tab (site/session.ts).
  const signedIn = () => document.documentElement.dataset.signedIn && retry();
  // A chosen file is no text.
  const typed = ({ target }: Event) => (target as HTMLInputElement).type === "file" || changed();
  form?.addEventListener("input", typed, { signal });
  addEventListener("online", retry, { signal });
  addEventListener("focus", retry, { signal });
  document.addEventListener("session", signedIn, { signal });
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
  /** The server has newer drafts than the page: it should load them. */
  onArrived: () => Promise<void>;
  /** Drafts that the server did not take: only this browser has them. */
  onLeft?: (drafts: Draft[]) => void;
};

/** Sends the drafts that earlier pages could not send, now and whenever the connection is back.
 * Drafts that were sent or discarded meanwhile are deleted here. @returns stops it */
export function sendUnsentDrafts<Draft>({
  userId,
  device,
  send,
  onArrived,
  onLeft,
}: LeftBehind<Draft>) {
  let isOlder = isOlderThanDrafts();
  async function work() {
    const arrived: Draft[] = [];
    const left: Draft[] = [];
    const drop = (draft: Draft) => device.drop(userId, device.idOf(draft), device.countOf(draft));
    for (const draft of device.all(userId)) {
      if (isBeingWritten(device.idOf(draft))) continue;
      const result = await send(draft);
      if (result === "saved") arrived.push(draft);
      else if (typeof result === "object") drop(draft);
      else left.push(draft);
    }
    onLeft?.(left);
    if (arrived.length > 0 || isOlder) await onArrived();
    isOlder = false;
    // Until the page has loaded them, it may offer an older text of the same draft (`newer`).
    arrived.forEach(drop);
  }
  void work();
  addEventListener("online", work);
  return () => removeEventListener("online", work);
}
