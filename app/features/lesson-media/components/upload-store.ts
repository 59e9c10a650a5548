import { useSyncExternalStore } from "react";
import type { Rendition } from "../films.ts";
import type { UploadKind } from "../messages.ts";

/** `queued`: starts after others. `converting`: in this browser, before the upload. `waiting`: lost the connection and retries by itself. `signed-out`: waits for a sign-in.
 * `checking`: all bytes have arrived and the site is checking them. */
export type TransferStatus =
  | "queued"
  | "converting"
  | "starting"
  | "uploading"
  | "waiting"
  | "paused"
  | "signed-out"
  | "checking"
  | "refused"
  | "ready";

/** An upload of this tab. There is one for each lesson, kind and rendition at most. */
export type Transfer = {
  readonly lessonId: string;
  readonly kind: UploadKind;
  /** Null for the lesson's own file. */
  readonly rendition: Rendition | null;
  /** Tells the files of a lesson apart. */
  readonly slot?: number | undefined;
  readonly fileName: string;
  /** In bytes, as is `sent`. */
  readonly size: number;
  readonly sent: number;
  readonly status: TransferStatus;
  readonly reason: string | null;
  readonly left: string | null;
  readonly uploadId: string | null;
  readonly href: string;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Deletes what has arrived, too. */
  readonly cancel: () => Promise<void>;
};

/** Outside of React, so that uploads go on across pages. Never filled on the server. */
let transfers: readonly Transfer[] = [];
const none: readonly Transfer[] = [];
const listeners = new Set<() => void>();

type Of = Pick<Transfer, "lessonId" | "kind" | "slot"> & { rendition?: Rendition | null };
const nameOf = ({ lessonId, kind, rendition, slot }: Of) =>
  `${lessonId} ${kind} ${rendition ?? ""} ${slot ?? ""}`;
const isOf = (one: Of) => (other: Of) => nameOf(one) === nameOf(other);

function publish(next: readonly Transfer[]) {
  transfers = next;
  // The listener makes the browser ask before closing the tab, but slows it: only while needed.
  if (transfers.some(isMoving)) addEventListener("beforeunload", confirmBeforeUnload);
  else removeEventListener("beforeunload", confirmBeforeUnload);
  for (const listener of listeners) listener();
}

function confirmBeforeUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}

const moving = new Set<TransferStatus>([
  "queued",
  "converting",
  "starting",
  "uploading",
  "waiting",
  "checking",
]);

/** Whether closing the tab would interrupt the upload. */
export const isMoving = ({ status }: Pick<Transfer, "status">) => moving.has(status);

/** Adds a transfer, replacing that of the same lesson and kind. */
export function putTransfer(transfer: Transfer): void {
  dropTransfer(transfer);
  publish([...transfers, transfer]);
}

export function changeTransfer(of: Of, change: Partial<Transfer>): void {
  publish(transfers.map((other) => (isOf(of)(other) ? { ...other, ...change } : other)));
}

export function dropTransfer(of: Of): void {
  publish(transfers.filter((other) => !isOf(of)(other)));
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useTransfers(): readonly Transfer[] {
  return useSyncExternalStore(
    subscribe,
    () => transfers,
    () => none,
  );
}
