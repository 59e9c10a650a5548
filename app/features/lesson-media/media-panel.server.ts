import { findPoster } from "~/features/pictures/pictures.server.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import type { UploadRow } from "~/platform/uploads/rows.ts";
import { versionOf } from "./captions.server.ts";
import { countCues } from "./captions.ts";
import { listFiles } from "./files.server.ts";
import { courseFilmFaults, faultInWords, filmFault, filmInWords, renditions } from "./films.ts";
import { mediaKeys, mediaUrl, newestKeys, renditionsOf } from "./media.server.ts";
import {
  type ConversionFault,
  conversionFaults,
  type MediaKind,
  mediaBuckets,
} from "./messages.ts";
import { hasArrived, kindOfBucket } from "./rules.ts";
import { finishArrived } from "./uploads.server.ts";

export type PanelState = Awaited<ReturnType<typeof getPanel>>;
export type KindState = PanelState[MediaKind];
/** The lesson's file. `size` in bytes, null if it was not uploaded here, as the samples; `durationMs`
 * null if the file does not state it. */
export type StoredMedia = NonNullable<KindState["stored"]>;
/** An upload that has not become the lesson's file, in bytes. With a `reason`, it was refused. */
export type UploadState = KindState["uploads"][number];
export type FilesState = PanelState["files"];

/** Checks a lesson's uploads that have arrived but were not checked, because the site was stopped.
 * That may take a while: no page waits for it, only what the page asks later. */
export async function finishArrivedUploads(services: Services, lessonId: string): Promise<void> {
  for (const upload of await listUploads(services, lessonId))
    if (hasArrived(upload)) await finishArrived(services, upload.id);
}

/** A lesson's media and unfinished uploads; the lesson may not be saved yet. */
export async function getPanel(services: Services, lessonId: string) {
  const { read } = services.db;
  const uploads = await listUploads(services, lessonId);
  const lesson = await read
    .selectFrom("lessons")
    .select(["muxPlaybackId as video", "audioKey as audio"])
    .select(["videoCaptions", "videoTranscript", "audioTranscript"])
    .where("id", "=", lessonId)
    .executeTakeFirst();
  const keys = lesson ?? (await newestKeys(read, lessonId));
  const ofKind = async (kind: MediaKind, transcript: string | null = null) => ({
    stored: await storedFile(services, kind, keys[kind]),
    transcript: { text: transcript ?? "", version: versionOf(transcript) },
    uploads: uploads.flatMap(({ rendition, ...upload }) =>
      upload.kind === kind && !rendition ? [upload] : [],
    ),
  });
  const captions = lesson?.videoCaptions ?? null;
  return {
    video: await ofKind("video", lesson?.videoTranscript),
    audio: await ofKind("audio", lesson?.audioTranscript),
    poster: await findPoster(read, lessonId),
    /** The number of captions of the video. */
    captions: captions === null ? null : countCues(captions),
    captionsVersion: versionOf(captions),
    /** The largest accepted file, in bytes. */
    limit: services.config.uploadLimitBytes,
    siteConverts: services.config.ffmpegPath !== undefined,
    files: {
      list: await listFiles(read, lessonId),
      uploads: uploads.filter(({ kind }) => kind === "file"),
      types: services.config.lessonFileTypes,
      limit: services.config.lessonFileLimitBytes,
    },
  };
}

/** A copied lesson plays the file of its original. */
async function storedFile({ db }: Services, kind: MediaKind, key: string | null) {
  if (!key) return null;
  const file = await db.read
    .selectFrom("mediaFiles")
    .select(["id", "fileName", "size", "durationMs", "videoCodec", "audioCodec", "width", "height"])
    .select(["convertedPercent", "conversionFault"])
    .where("bucket", "=", mediaBuckets[kind])
    .where("key", "=", key)
    .executeTakeFirst();
  const { fileName = key.split("/").at(-1) ?? key, size = null, durationMs = null } = file ?? {};
  const made = file ? await renditionsOf(db.read, file.id) : [];
  const playsAnyway = made.some(({ rendition }) => rendition === "1080p");
  const fault = file && !playsAnyway && filmFault(file);
  const conversion = file && !playsAnyway ? await conversionOf(db.read, file) : null;
  return {
    ...{ id: file?.id ?? null, key, fileName, size, durationMs },
    /** What was made of it; a copy's too. */
    renditions: renditions.filter((name) => made.some(({ rendition }) => rendition === name)),
    /** What a film is made of. */
    film: file ? filmInWords(file) : null,
    warning: conversion?.fault ?? (fault && !conversion ? faultInWords(fault, file) : null),
    /** How much the site has converted; null when it does not. */
    convertedPercent: conversion?.percent ?? null,
  };
}

type Asked = { id: string; convertedPercent: number | null; conversionFault: string | null };

/** A conversion by the site that goes on, or has failed; null where there is none. */
async function conversionOf(db: Query, { id, convertedPercent, conversionFault }: Asked) {
  if (convertedPercent === null) return null;
  const work = await db
    .selectFrom("outbox")
    .select(["finishedAt", "failedAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (work && !work.finishedAt && !work.failedAt) return { percent: convertedPercent, fault: null };
  if (work?.finishedAt) return null;
  // Three crashes in the middle of it leave no word.
  const fault = work ? (conversionFault ?? "stopped") : conversionFault;
  return fault ? { percent: null, fault: conversionFaults[fault as ConversionFault] } : null;
}

/** Newest first. */
async function listUploads({ db, uploads }: Services, lessonId: string) {
  const rows = (await db.read
    .selectFrom("uploads")
    .selectAll()
    .where("lessonId", "=", lessonId)
    .where("finishedAt", "is", null)
    .orderBy("id", "desc")
    .execute()) as UploadRow[];
  return Promise.all(
    rows.map(async (row) => {
      const { id, fileName, size, reason, rendition } = row;
      const received = row.refusedAt ? 0 : ((await uploads.received(row)) ?? 0);
      return { id, kind: kindOfBucket(row.bucket), fileName, size, received, reason, rendition };
    }),
  );
}

/** A URL of a lesson's video or audio for its author: of the film that students see, where one was
 * made of it. Null if there is none. */
export async function playableAddress(
  services: Services,
  lessonId: string,
  kind: MediaKind,
): Promise<string | null> {
  const { read } = services.db;
  const key = (await mediaKeys(read, lessonId))[kind];
  const bucket = mediaBuckets[kind];
  const made = await read
    .selectFrom("mediaFiles as made")
    .innerJoin("mediaFiles as film", "film.id", "made.renditionOf")
    .select("made.key")
    .where("film.bucket", "=", bucket)
    .where("film.key", "=", key ?? "")
    .where("made.rendition", "=", "1080p")
    .executeTakeFirst();
  return mediaUrl(services, bucket, made?.key ?? key);
}

/** The lessons of a course whose film many devices cannot show or not let hear, in their order, 20 at
 * most. It forbids nothing: the coach decides. */
export async function listFilmFaults({ db }: Services, courseId: string) {
  const films = await db.read
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("mediaFiles as film", (join) =>
      join
        .on("film.bucket", "=", mediaBuckets.video)
        .onRef("film.key", "=", "lessons.muxPlaybackId"),
    )
    .select(["lessons.id", "lessons.title"])
    .select(["film.videoCodec", "film.audioCodec", "film.width", "film.height"])
    .select(["film.size", "film.durationMs"])
    .where("modules.productId", "=", courseId)
    .where("modules.deletedAt", "is", null)
    .where("lessons.deletedAt", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("mediaFiles as made")
            .select("made.id")
            .whereRef("made.renditionOf", "=", "film.id")
            .where("made.rendition", "=", "1080p"),
        ),
      ),
    )
    .orderBy("modules.orderNum")
    .orderBy("lessons.orderNum")
    .orderBy("lessons.id")
    .execute();
  return films
    .flatMap((film) => {
      const fault = filmFault(film);
      if (!fault || fault === "size") return [];
      return [{ id: film.id, title: film.title, fault: courseFilmFaults[fault] }];
    })
    .slice(0, 20);
}
