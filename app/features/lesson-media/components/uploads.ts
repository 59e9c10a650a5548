import type { MediaKind } from "../messages.ts";
import { forgetFile } from "./known-files.ts";
import { Sending } from "./sending.ts";
import { terminate, type UploadInput } from "./tus-upload.ts";
import { dropTransfer, findTransfer } from "./upload-store.ts";

type Of = { lessonId: string; kind: MediaKind };

const sendings = new Map<string, Sending>();
const keyOf = ({ lessonId, kind }: Of) => `${lessonId} ${kind}`;

/** Starts or continues an upload. Another one of the same lesson and kind must have ended. */
export function beginUpload(order: UploadInput): void {
  sendings.set(keyOf(order), new Sending(order));
}

export const pauseUpload = (of: Of) => sendings.get(keyOf(of))?.pause();
export const resumeUpload = (of: Of) => sendings.get(keyOf(of))?.resume();

/** Cancels an upload. @returns whether nothing is left on the server */
export async function cancelUpload(of: Of): Promise<boolean> {
  const sending = sendings.get(keyOf(of));
  sendings.delete(keyOf(of));
  return sending ? sending.cancel() : true;
}

/** Removes an ended upload from the page, and a rejected one from the server. */
export async function dismissUpload(of: Of): Promise<void> {
  const transfer = findTransfer(of);
  sendings.delete(keyOf(of));
  dropTransfer(of);
  if (transfer?.status === "refused" && transfer.uploadId) await discardUpload(transfer.uploadId);
}

/** Deletes an upload that this tab is not sending. @returns whether nothing is left */
export function discardUpload(uploadId: string): Promise<boolean> {
  forgetFile(uploadId);
  return terminate(uploadId);
}
