import type { MediaKind } from "../texts.ts";
import { forgetFile } from "./known-files.ts";
import { Sending } from "./sending.ts";
import type { Order } from "./tus-upload.ts";
import { terminate } from "./upload-address.ts";
import { dropTransfer, findTransfer } from "./upload-store.ts";

type Of = { lessonId: string; kind: MediaKind };

const sendings = new Map<string, Sending>();
const keyOf = ({ lessonId, kind }: Of) => `${lessonId} ${kind}`;

/** Begins to send a file, or goes on with one. Another one of the same lesson and kind must be over. */
export function beginUpload(order: Order): void {
  sendings.set(keyOf(order), new Sending(order));
}

export const pauseUpload = (of: Of) => sendings.get(keyOf(of))?.pause();
export const resumeUpload = (of: Of) => sendings.get(keyOf(of))?.resume();

/** Ends an upload for good. @returns whether the server has nothing of it any more */
export async function cancelUpload(of: Of): Promise<boolean> {
  const sending = sendings.get(keyOf(of));
  sendings.delete(keyOf(of));
  return sending ? sending.cancel() : true;
}

/** Takes what was said of an upload that is over off the page, and a refused one off the server. */
export async function dismissUpload(of: Of): Promise<void> {
  const transfer = findTransfer(of);
  sendings.delete(keyOf(of));
  dropTransfer(of);
  if (transfer?.status === "refused" && transfer.uploadId) await forgetUpload(transfer.uploadId);
}

/** Takes an upload that this tab is not sending off the server. @returns whether nothing is left */
export function forgetUpload(uploadId: string): Promise<boolean> {
  forgetFile(uploadId);
  return terminate(uploadId);
}
