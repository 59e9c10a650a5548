import type { DetailedError, Upload } from "tus-js-client";
import type { MediaKind } from "../texts.ts";
import { addressOf, endpoint } from "./upload-address.ts";

/**
 * Proxies in front of the site hold back, or refuse, larger bodies; and what the browser calls sent
 * may be waiting in buffers: at the end of each piece it is known.
 */
const pieceBytes = 8 * 1024 * 1024;

/** A file that is to be uploaded for a lesson. */
export type Order = {
  lessonId: string;
  moduleId: string;
  kind: MediaKind;
  fileName: string;
  size: number;
  /** Where the lesson is written. */
  href: string;
  /** Null when all of it is on the server, and only the checks are missing. */
  file: File | null;
  /** An upload of this file that stopped, to go on with. */
  uploadId: string | null;
};

type Handlers = {
  /** The server has a name for it. */
  onNamed: (uploadId: string | null) => void;
  onProgress: (sent: number) => void;
  onSuccess: () => void;
  onError: (error: Error | DetailedError) => void;
};

/** An upload as the library makes it, not started; when to try again is not its business. */
export function makeUpload(
  Maker: typeof Upload,
  { file, lessonId, moduleId, kind, fileName }: Order,
  uploadId: string | null,
  { onNamed, ...handlers }: Handlers,
): Upload {
  const upload = new Maker(file as File, {
    // Where it is known what is gone on with, nothing else is begun instead behind her back.
    endpoint: uploadId ? null : `${location.origin}${endpoint}`,
    uploadUrl: uploadId && addressOf(uploadId),
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
