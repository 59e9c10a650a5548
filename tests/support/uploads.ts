import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { Upload, type UploadOptions } from "tus-js-client";
import type { Rendition } from "~/features/lesson-media/films.ts";
import { finishArrivedUploads, getPanel } from "~/features/lesson-media/media-panel.server.ts";
import {
  type MediaKind,
  mediaBuckets,
  type UploadKind,
  uploadBuckets,
} from "~/features/lesson-media/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createCourse } from "./courses.ts";
import { cookieOf, createPerson } from "./people.ts";
import { startS3 } from "./s3.ts";
import { startSite } from "./site.ts";

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
  kind?: UploadKind;
  moduleId: string;
  lessonId?: string;
  made?: { rendition: Rendition; renditionOf: string };
};

/** The header of tus that says what a file is. */
export function metadataOf({ fileName = "film.mp4", kind = "video", ...to }: Uploading) {
  return {
    filename: fileName,
    kind,
    moduleId: to.moduleId,
    lessonId: to.lessonId ?? newId(),
    ...to.made,
  };
}

/** An admin and a lesson without media, for uploads to a site at this address. */
export async function uploadingTo(services: Services, url: string) {
  const admin = await createPerson(services, { role: "admin" });
  const [module] = (await createCourse(services, [[{}]])).modules;
  return {
    url,
    cookie: await cookieOf(services, admin.id),
    origin: services.config.appUrl,
    moduleId: module?.id ?? "",
    lessonId: module?.lessons[0]?.id ?? "",
  };
}

export type UploadSite = Awaited<ReturnType<typeof startUploadSite>>;

/** A site with its media on the disk or in an S3 store; `to` is for uploads to it. */
export async function startUploadSite(
  kind: "local" | "s3" = "local",
  settings: Record<string, string> = {},
) {
  const s3 = kind === "s3" ? await startS3() : null;
  const site = await startSite({ ...s3?.env, ...settings });
  const { services } = site;
  // Its own cleanup would notice files before the clock of a test is moved.
  await site.firstRound;
  const to = await uploadingTo(services, site.url);
  const panel = (lessonId = to.lessonId) => getPanel(services, lessonId);
  return {
    ...site,
    s3,
    to,
    panel,
    keyOf: async (lessonId = to.lessonId) => (await panel(lessonId)).video.stored?.key ?? "",
    urlOf: (media: MediaKind, key: string | null | undefined) =>
      services.storage
        .signedUrl(mediaBuckets[media], key ?? "", services.clock.now())
        .then((address) => new URL(address, site.url)),
    /** Changes the row of the lesson that uploads are for. */
    setLesson: (values: { deletedAt?: Date; muxPlaybackId?: string | null }) =>
      services.db.write.updateTable("lessons").set(values).where("id", "=", to.lessonId).execute(),
    /** What there is of unfinished uploads: bytes, or parts in the store. */
    remains(): unknown[] {
      const folder = path.join(services.config.dataDir, "uploads");
      if (!s3) return existsSync(folder) ? readdirSync(folder) : [];
      return Object.values(uploadBuckets).flatMap((bucket) => {
        const { keys = [], uploads = 0 } = s3.contents(`test-${bucket}`) ?? {};
        return [...keys.filter((key) => key.startsWith("uploads/")), ...Array(uploads)];
      });
    },
    async close() {
      await site.close();
      await s3?.close();
    },
  };
}

/** Leaves an upload as a crash does between its last byte and what is recorded of it. */
export async function unfinish({ db: { write } }: Services, uploadId: string): Promise<void> {
  const { key } = await write
    .updateTable("uploads")
    .set({ finishedAt: null })
    .where("id", "=", uploadId)
    .returning("key")
    .executeTakeFirstOrThrow();
  await write.deleteFrom("mediaFiles").where("id", "=", uploadId).execute();
  const lesson = write.updateTable("lessons").where("muxPlaybackId", "=", key);
  await lesson.set({ muxPlaybackId: null }).execute();
}

/** Asks about an upload that has begun, with the headers of tus. */
export function askUpload(
  method: "HEAD" | "PATCH" | "DELETE",
  to: Uploading,
  address: string,
  { offset, body, headers }: { offset?: number; body?: BodyInit; headers?: HeadersInit } = {},
): Promise<Response> {
  const own = new Headers({ cookie: to.cookie, origin: to.origin, "tus-resumable": "1.0.0" });
  if (offset !== undefined) {
    own.set("upload-offset", String(offset));
    own.set("content-type", "application/offset+octet-stream");
  }
  new Headers(headers).forEach((value, name) => void own.set(name, value));
  return fetch(new URL(address, to.url), {
    method,
    body,
    headers: own,
    duplex: "half",
  } as RequestInit);
}

export const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What a lesson plays once its panel has asked, read as storage has it, and how many uploads are
 * open. */
export async function storedFilm(services: Services, lessonId: string) {
  await finishArrivedUploads(services, lessonId);
  const { stored, uploads } = (await getPanel(services, lessonId)).video;
  const file = await services.storage.open("course-videos", stored?.key ?? "");
  const bytes = await file?.read(0, file.size);
  await file?.close();
  return { sha: bytes && sha(bytes), open: uploads.length };
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

/** Metadata as tus sends it; a name that is no text comes as its bytes. */
export const metadataHeader = (metadata: Record<string, string | Buffer>) =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value as string).toString("base64")}`)
    .join(",");

/** Announces an upload of so many bytes and sends none. @returns its address */
export async function announce(to: Uploading, size: number): Promise<string> {
  return (await beginUpload(to, size)).headers.get("location") ?? "";
}

/** Begins an upload of so many bytes and sends none. */
export function beginUpload(
  to: Uploading,
  size: number,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${to.url}/uploads`, {
    method: "POST",
    headers: {
      cookie: to.cookie,
      origin: to.origin,
      "tus-resumable": "1.0.0",
      "upload-length": String(size),
      "upload-metadata": metadataHeader(metadataOf(to)),
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
