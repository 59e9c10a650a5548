import type { DetailedError, Upload } from "tus-js-client";
import { type MediaKind, mediaProblems } from "../messages.ts";
import { retryDelay, uploadResponse } from "../rules.ts";
import { siteMessage } from "./ask-site.ts";

/** The URL of each upload is below this path. */
export const endpoint = "/uploads";

export const uploadUrl = (uploadId: string) => `${location.origin}${endpoint}/${uploadId}`;

/** The message in the body of an error, as JSON or plain text; else a general one. */
export function uploadRefusalMessage(body: string): string {
  try {
    return siteMessage(JSON.parse(body)) ?? mediaProblems.failed;
  } catch {
    const isSentence = body.trim() !== "" && body.length < 500 && !body.includes("<");
    return isSentence ? body.trim() : mediaProblems.failed;
  }
}

/** The server may still be busy with the last piece. */
const tries = 6;

/** Deletes the bytes of an upload. Idempotent. @returns whether nothing is left */
export async function terminate(uploadId: string): Promise<boolean> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const status = await sendDelete(uploadId);
    const meaning = status === 204 ? "gone" : uploadResponse(status);
    if (meaning === "gone") return true;
    if (meaning !== "again") return false;
    await new Promise((resolve) => setTimeout(resolve, retryDelay(attempt)));
  }
  return false;
}

async function sendDelete(uploadId: string): Promise<number> {
  try {
    const headers = { "Tus-Resumable": "1.0.0" };
    const { status } = await fetch(uploadUrl(uploadId), { method: "DELETE", headers });
    return status;
  } catch {
    return 0;
  }
}

/** Proxies hold back or refuse larger bodies, and bytes that the browser reports as sent may still
 * be in buffers: only at the end of a piece is it known. */
const pieceBytes = 8 * 1024 * 1024;

export type UploadInput = {
  lessonId: string;
  moduleId: string;
  kind: MediaKind;
  fileName: string;
  size: number;
  href: string;
  file: File | null;
  uploadId: string | null;
};

type Handlers = {
  onNamed: (uploadId: string | null) => void;
  onProgress: (sent: number) => void;
  onSuccess: () => void;
  onError: (error: Error | DetailedError) => void;
};

/** A tus upload, not started. Retries are up to the caller. */
export function makeUpload(
  Maker: typeof Upload,
  { file, lessonId, moduleId, kind, fileName }: UploadInput,
  uploadId: string | null,
  { onNamed, ...handlers }: Handlers,
): Upload {
  const upload = new Maker(file as File, {
    // A known upload is continued; without an endpoint, the library cannot silently start another.
    endpoint: uploadId ? null : `${location.origin}${endpoint}`,
    uploadUrl: uploadId && uploadUrl(uploadId),
    metadata: { filename: fileName, kind, lessonId, moduleId },
    chunkSize: pieceBytes,
    retryDelays: null,
    storeFingerprintForResuming: false,
    onUploadUrlAvailable: () => {
      upload.options.endpoint = null;
      onNamed(upload.url?.split("/").at(-1) ?? null);
    },
    ...handlers,
  });
  return upload;
}
