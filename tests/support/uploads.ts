import { readFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { Upload, type UploadOptions } from "tus-js-client";
import type { MediaKind } from "~/features/lesson-media/messages.ts";
import { newId } from "~/platform/db/ids.ts";

/** A small, real file of its format: tests/support/media. One second each. */
export function sampleFile(name: string): Buffer {
  return readFileSync(path.join(import.meta.dirname, "media", name));
}

/** A film that can be played, of so many bytes: behind it stands room that players skip. */
export function filmOf(size: number, fill: (room: Buffer) => void = () => {}): Buffer {
  const film = sampleFile("film.mp4");
  const room = Buffer.alloc(size - film.length);
  fill(room.subarray(8));
  room.writeUInt32BE(room.length, 0);
  room.write("free", 4, "latin1");
  return Buffer.concat([film, room]);
}

/** Who uploads where, for what. */
export type Uploading = {
  url: string;
  cookie: string;
  origin: string;
  fileName?: string;
  kind?: MediaKind;
  moduleId: string;
  lessonId?: string;
};

/** The header of tus that says what a file is. */
export function metadataOf({ fileName = "film.mp4", kind = "video", ...to }: Uploading) {
  return {
    filename: fileName,
    kind,
    moduleId: to.moduleId,
    lessonId: to.lessonId ?? newId(),
  };
}

/** Uploads with the client that the site's own pages use. @returns the upload's id */
export function upload(
  source: Buffer | Readable,
  to: Uploading,
  options: Partial<UploadOptions> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const going = new Upload(source, {
      endpoint: `${to.url}/uploads`,
      headers: { cookie: to.cookie, origin: to.origin },
      metadata: metadataOf(to),
      retryDelays: null,
      ...options,
      onError: reject,
      onSuccess: () => resolve(idOf(going)),
    });
    going.start();
  });
}

/** Begins an upload of so many bytes and sends none. */
export function beginUpload(
  to: Uploading,
  size: number,
  headers: Record<string, string> = {},
): Promise<Response> {
  const words = Object.entries(metadataOf(to)).map(
    ([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`,
  );
  return fetch(`${to.url}/uploads`, {
    method: "POST",
    headers: {
      cookie: to.cookie,
      origin: to.origin,
      "tus-resumable": "1.0.0",
      "upload-length": String(size),
      "upload-metadata": words.join(","),
      ...headers,
    },
  });
}

/**
 * Sends until so many bytes have left, then does `harm` to whatever is in between, and waits for
 * the client to notice. Goes on where `uploadId` was.
 * @returns the upload's id, if the site has said it; and whether all was sent before
 */
export function uploadUntil(
  bytes: Buffer,
  to: Uploading,
  {
    uploadId,
    sent = Number.POSITIVE_INFINITY,
    harm = () => {},
    chunkSize = Number.POSITIVE_INFINITY,
  }: Interruption,
): Promise<{ uploadId: string | null; done: boolean }> {
  return new Promise((resolve) => {
    let harmed = false;
    const strike = () => {
      if (!harmed) harm();
      harmed = true;
    };
    const end = (done: boolean) => () => resolve({ uploadId: idOf(going) || uploadId, done });
    const going = new Upload(bytes, {
      endpoint: `${to.url}/uploads`,
      uploadUrl: uploadId && `${to.url}/uploads/${uploadId}`,
      headers: { cookie: to.cookie, origin: to.origin },
      metadata: metadataOf(to),
      retryDelays: null,
      chunkSize,
      onProgress: (now) => now >= sent && strike(),
      onError: end(false),
      onSuccess: end(true),
    });
    going.start();
  });
}

type Interruption = {
  uploadId: string | null;
  sent?: number;
  harm?: () => void;
  chunkSize?: number;
};

export const idOf = (going: { url: string | null }) => going.url?.split("/").at(-1) ?? "";

/** What the site said of an upload that it did not take. */
export async function refusalOf(
  refused: Promise<unknown>,
): Promise<{ status: number; said: string }> {
  const error = await refused.then(
    () => null,
    (reason: unknown) => reason as { originalResponse?: Answer | null },
  );
  const answer = error?.originalResponse;
  if (!answer) throw new Error("it was not refused", { cause: error });
  return { status: answer.getStatus(), said: answer.getBody() };
}

type Answer = { getStatus(): number; getBody(): string };
