import { useSyncExternalStore } from "react";
import { photographMessages } from "../photograph-messages.ts";
import type { ShownPhotograph } from "../schema.ts";
import { deleteSent, type Fault, sendPhotograph } from "./send-photograph.ts";

type Of = { userId: string; lessonId: string };
type Waiting = Of & { id: string; file: File };

/** What has become of a lesson's photographs since its page was loaded. */
type Changes = {
  readonly added: readonly ShownPhotograph[];
  readonly gone: readonly string[];
  readonly said: string;
};
const none: Changes = { added: [], gone: [], said: "" };

/** `fault`: why the first that waits could not be sent yet. */
type State = {
  readonly waiting: readonly Waiting[];
  readonly fault: Fault | null;
  readonly changes: Readonly<Record<string, Changes>>;
};

/** Outside of React: the next lesson may be opened meanwhile. Never filled on the server. */
let state: State = { waiting: [], fault: null, changes: {} };
const listeners = new Set<() => void>();

function publish(next: Partial<State>) {
  state = { ...state, ...next };
  // Only while needed: it costs the browser's quick way back.
  if (state.waiting.length > 0) addEventListener("beforeunload", confirmBeforeUnload);
  else removeEventListener("beforeunload", confirmBeforeUnload);
  for (const listener of listeners) listener();
}

function confirmBeforeUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}

function change(lessonId: string, next: Partial<Changes>) {
  const { changes } = state;
  publish({ changes: { ...changes, [lessonId]: { ...none, ...changes[lessonId], ...next } } });
}

const changesOf = (lessonId: string) => state.changes[lessonId] ?? none;

/** Sends it after those that wait. What cannot be sent yet is sent again when the line, or the
 * user, is back. */
export function queuePhotograph({ userId, lessonId }: Of, file: File): void {
  change(lessonId, { said: "" });
  const one = { id: crypto.randomUUID(), userId, lessonId, file };
  publish({ waiting: [...state.waiting, one] });
  if (state.waiting.length === 1) void sendFirst();
}

async function sendFirst() {
  const [first] = state.waiting;
  if (!first) return;
  const sent = await sendPhotograph(first);
  if ("photograph" in sent) {
    const added = [...changesOf(first.lessonId).added, sent.photograph];
    change(first.lessonId, { added, said: photographMessages.savedQuietly });
  } else if (sent.isFinal) change(first.lessonId, { said: sent.message });
  else return waitWith(sent);
  publish({ waiting: state.waiting.slice(1) });
  void sendFirst();
}

const retryMs = 15_000;

export let tryAgain = (): void => {};

function waitWith(fault: Fault) {
  const ended = new AbortController();
  const { signal } = ended;
  tryAgain = () => {
    if (signal.aborted) return;
    ended.abort();
    clearTimeout(timer);
    publish({ fault: null });
    void sendFirst();
  };
  const timer = setTimeout(tryAgain, retryMs);
  addEventListener("online", tryAgain, { signal });
  // The user has signed in again, in another tab (site/session.ts).
  document.addEventListener("session", tryAgain, { signal });
  publish({ fault });
}

export async function removePhotograph(lessonId: string, id: string): Promise<void> {
  change(lessonId, { said: "" });
  const why = await deleteSent(id);
  const { gone } = changesOf(lessonId);
  if (why) change(lessonId, { said: why });
  else change(lessonId, { said: photographMessages.deleted.title, gone: [...gone, id] });
}

/** The page of the lesson is left, or is loaded again. */
export function forgetChanges(lessonId: string): void {
  change(lessonId, none);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const current = () => state;

/** Of one lesson: its changes, whether some of it waits, and why. */
export function usePhotographQueue(lessonId: string) {
  const { waiting, fault, changes } = useSyncExternalStore(subscribe, current, current);
  const isWaiting = waiting.some((one) => one.lessonId === lessonId);
  return { ...(changes[lessonId] ?? none), isWaiting, fault: isWaiting ? fault : null };
}
