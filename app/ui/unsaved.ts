import { type SubmitEvent, useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";

/** One for each form on the page. Outside of React, and never filled on the server. */
const checks = new Set<() => boolean>();

/** Whether something was typed on this page that would be gone with it. */
export const hasUnsaved = (): boolean => [...checks].some((isUnsaved) => isUnsaved());

function askBeforeClosing(event: BeforeUnloadEvent) {
  if (hasUnsaved()) event.preventDefault();
}

/** For a form whose words are nowhere but in it: LeaveQuestion asks before another page of the
 * admin takes its place, and the browser before the tab is closed or leads elsewhere. */
export function useUnsaved(isUnsaved: () => boolean): void {
  const check = useEffectEvent(isUnsaved);
  // With the page itself: a passive effect ends later, and would find its fields gone and ask.
  useLayoutEffect(() => {
    const own = () => check();
    checks.add(own);
    // Only as long as there is something to ask for: it costs the browser's quick way back.
    addEventListener("beforeunload", askBeforeClosing);
    return () => {
      checks.delete(own);
      if (checks.size === 0) removeEventListener("beforeunload", askBeforeClosing);
    };
  }, []);
}

let waiting: (() => void) | null = null;
const listeners = new Set<() => void>();

function wait(next: typeof waiting) {
  waiting = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

let isAnswered = false;

/** `onSubmit` of a form that leads to another page and leaves the words of this one behind. */
export function askBeforeSending(event: SubmitEvent<HTMLFormElement>): void {
  if (isAnswered || !hasUnsaved()) return;
  event.preventDefault();
  const form = event.currentTarget;
  const { submitter } = event.nativeEvent as globalThis.SubmitEvent;
  wait(() => {
    isAnswered = true;
    form.requestSubmit(submitter);
    isAnswered = false;
  });
}

/** What is to be sent if they leave, and a way to forget it; null when nothing waits. */
export function useWaiting(): { send: () => void; forget: () => void } | null {
  const send = useSyncExternalStore(
    subscribe,
    () => waiting,
    () => null,
  );
  return send && { send, forget: () => wait(null) };
}
