import { useSyncExternalStore } from "react";
import type { MediaKind } from "../texts.ts";

/**
 * What a file on its way is doing: `waiting` has lost the line and tries again by itself,
 * `signed-out` waits for her to sign in, `checking` is all there and looked at by the site.
 */
export type TransferStatus =
  | "starting"
  | "uploading"
  | "waiting"
  | "paused"
  | "signed-out"
  | "checking"
  | "refused"
  | "ready";

/** A file that this tab is sending, or has sent. */
export type Transfer = {
  readonly lessonId: string;
  readonly kind: MediaKind;
  readonly fileName: string;
  /** In bytes, of the file and of what was sent of it. */
  readonly size: number;
  readonly sent: number;
  readonly status: TransferStatus;
  /** Why it was refused. */
  readonly reason: string | null;
  /** How long it will take, in words. */
  readonly left: string | null;
  /** Its name on the server, once it has one. */
  readonly uploadId: string | null;
  /** Where the lesson is written. */
  readonly href: string;
};

/**
 * The files that this tab is sending. Outside of React, so that they go on while pages come
 * and go. Never filled on the server.
 */
let transfers: readonly Transfer[] = [];
const none: readonly Transfer[] = [];
const listeners = new Set<() => void>();

type Of = Pick<Transfer, "lessonId" | "kind">;
const isOf = (one: Of) => (other: Of) => one.lessonId === other.lessonId && one.kind === other.kind;

function publish(next: readonly Transfer[]) {
  transfers = next;
  // The browser asks before a tab is closed as long as this listens, and only then keeps it slow.
  if (transfers.some(isMoving)) addEventListener("beforeunload", askBeforeLeaving);
  else removeEventListener("beforeunload", askBeforeLeaving);
  for (const listener of listeners) listener();
}

function askBeforeLeaving(event: BeforeUnloadEvent) {
  event.preventDefault();
}

const moving = new Set<TransferStatus>(["starting", "uploading", "waiting", "checking"]);

/** Whether closing the tab would interrupt it. */
export const isMoving = ({ status }: Transfer) => moving.has(status);

export function findTransfer(of: Of): Transfer | undefined {
  return transfers.find(isOf(of));
}

/** Adds it, in place of the one of the same lesson and kind. */
export function putTransfer(transfer: Transfer): void {
  publish([...transfers.filter((other) => !isOf(transfer)(other)), transfer]);
}

/** Changes one, if it is still there. */
export function changeTransfer(of: Of, change: Partial<Transfer>): void {
  if (!findTransfer(of)) return;
  publish(transfers.map((other) => (isOf(of)(other) ? { ...other, ...change } : other)));
}

export function dropTransfer(of: Of): void {
  if (findTransfer(of)) publish(transfers.filter((other) => !isOf(of)(other)));
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The files that this tab is sending. */
export function useTransfers(): readonly Transfer[] {
  return useSyncExternalStore(
    subscribe,
    () => transfers,
    () => none,
  );
}
