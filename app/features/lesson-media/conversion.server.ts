import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { addPicture, findPoster, setPoster } from "~/features/pictures/pictures.server.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob, PermanentFailure } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { contentType } from "~/platform/storage/content-type.ts";
import { openLocalFile, orNull } from "~/platform/storage/local.ts";
import type { OpenFile } from "~/platform/storage/storage.ts";
import { NoRoom, orNoRoom } from "~/platform/uploads/bytes.ts";
import { roomIn } from "~/platform/uploads/local.ts";
import {
  CannotConvert,
  conversionWords,
  runFfmpeg,
  stillWords,
  TookTooLong,
} from "./ffmpeg.server.ts";
import { readFilmFacts } from "./film-facts.server.ts";
import { type Film, filmFault, madeBytes, type Rendition, renditions } from "./films.ts";
import { mediaKeys, newestKeys, renditionsOf } from "./media.server.ts";
import { type ConversionFault, conversionFaults, mediaBuckets } from "./messages.ts";
import { isMediaKey, mediaKey } from "./rules.ts";

const pieceBytes = 8 * 1024 * 1024;
const percentEveryMs = 2000;
/** In ms: an hour, and twenty times the film; a day at most. */
const patienceFor = (durationMs: number | null) =>
  Math.min(24 * 3600_000, 3600_000 + 20 * (durationMs ?? 0));

const folderOf = ({ config }: Pick<Services, "config">) => path.join(config.dataDir, "converting");

/** Converts a film that does not play everywhere. The row has the id of the film. */
export const filmConversion = defineJob({
  kind: "media.convert",
  label: "Conversion of a film",
  ...{ sendsEmail: false, slow: true, single: true, maxAttempts: 3 },
  payload: z.object({ filmId: z.uuid() }),
  run: (services, { filmId }, { signal }) => convertFilm(services, filmId, signal),
});

type NewFilm = Film & { id: string };

/** In the transaction that records a film: has it converted where that is needed, and the site can.
 * @returns whether it is */
export async function convertWhereNeeded(
  trx: Query,
  { config, clock }: Pick<Services, "config" | "clock">,
  film: NewFilm,
): Promise<boolean> {
  if (!config.ffmpegPath || !filmFault(film)) return false;
  const asked = await trx
    .updateTable("mediaFiles")
    .set({ convertedPercent: 0 })
    .where("id", "=", film.id)
    .where("convertedPercent", "is", null)
    .executeTakeFirstOrThrow();
  if (asked.numUpdatedRows === 0n) return false;
  const { id } = film;
  await enqueue(trx, filmConversion, { filmId: id }, { id, now: clock.now() });
  return true;
}

/** Null once no lesson has it any more, or it is converted. */
async function findWanted(db: Query, filmId: string) {
  const film = await db
    .selectFrom("mediaFiles")
    .select(["id", "bucket", "key", "fileName", "size", "durationMs", "audioCodec", "lessonId"])
    .where("id", "=", filmId)
    .executeTakeFirst();
  if (!film) return null;
  const named = db.selectFrom("lessons").where("muxPlaybackId", "=", film.key);
  if (await isAny(named)) return film;
  if (!film.lessonId) return null;
  const isSaved = await isAny(db.selectFrom("lessons").where("id", "=", film.lessonId));
  if (isSaved) return null;
  return (await newestKeys(db, film.lessonId)).video === film.key ? film : null;
}

type Wanted = NonNullable<Awaited<ReturnType<typeof findWanted>>>;

async function convertFilm(services: Services, filmId: string, signal: AbortSignal) {
  const { db, log } = services;
  const film = await findWanted(db.write, filmId);
  if (!film) return;
  const made = await renditionsOf(db.write, filmId);
  if (made.some(({ rendition }) => rendition === "1080p")) return;
  const folder = path.join(folderOf(services), filmId);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await convertIn(services, film, folder, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotWanted) return;
    const fault = faultOf(error);
    await note(db.write, filmId, { conversionFault: fault });
    log.warn({ err: error, film: filmId }, "a film could not be converted");
    const words = conversionFaults[fault].text;
    if (fault === "damaged" || fault === "slow" || fault === "off")
      throw new PermanentFailure(words);
    throw new Error(words, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Replaced or removed meanwhile. */
class NotWanted extends Error {}
class SwitchedOff extends Error {}

function faultOf(error: unknown): ConversionFault {
  if (error instanceof CannotConvert) return "damaged";
  if (error instanceof TookTooLong) return "slow";
  if (error instanceof NoRoom) return "room";
  return error instanceof SwitchedOff ? "off" : "stopped";
}

const note = (
  db: Query,
  id: string,
  values: { convertedPercent?: number; conversionFault?: string | null },
) => db.updateTable("mediaFiles").set(values).where("id", "=", id).execute();

async function convertIn(services: Services, film: Wanted, folder: string, signal: AbortSignal) {
  const { db, config } = services;
  const { ffmpegPath: ffmpeg } = config;
  if (!ffmpeg) throw new SwitchedOff();
  await note(db.write, film.id, { convertedPercent: 0, conversionFault: null });
  await requireRoom(services, film);
  const file = await orNoRoom(localCopy(services, film, folder));
  const target = {
    "1080p": path.join(folder, "film.mp4"),
    "480p": path.join(folder, "small.mp4"),
    audio: path.join(folder, "sound.m4a"),
  };
  const hasSound = film.audioCodec !== null;
  const words = conversionWords({ file, isWebm: film.key.endsWith(".webm"), hasSound }, target);
  const progress = noteProgress(services, film);
  try {
    await runFfmpeg(words, {
      ...{ ffmpeg, patience: patienceFor(film.durationMs), onProgress: progress.note },
      signal: AbortSignal.any([signal, progress.over]),
    });
  } catch (error) {
    if (progress.over.aborted) throw progress.over.reason;
    if (/No space left/.test(String(error))) throw new NoRoom("there is no room");
    throw error;
  } finally {
    await progress.stop();
  }
  const still = path.join(folder, "still.jpg");
  const stillAt = (film.durationMs ?? 0) / 10_000;
  const noPoster = (err: unknown) => services.log.warn({ err, film: film.id }, "a film's still");
  await runFfmpeg(stillWords(target["1080p"], stillAt, still), {
    ...{ ffmpeg, signal, patience: 60_000 },
  }).catch(noPoster);
  await makePoster(services, film, still).catch(noPoster);
  await store(services, film, hasSound ? target : { ...target, audio: null });
}

/** Notes every few seconds how far it is, and whether a lesson has the film still and the disk has
 * room: how much a film needs is known when it is done. */
function noteProgress({ db, log, config }: Services, film: Wanted) {
  const over = new AbortController();
  let percent = 0;
  let noted = 0;
  let noting = Promise.resolve();
  const timer = setInterval(() => {
    noting = noting.then(write).catch((err: unknown) => log.warn({ err }, "progress not noted"));
  }, percentEveryMs);
  async function write() {
    if (!(await findWanted(db.write, film.id))) return over.abort(new NotWanted());
    if ((await roomIn(config.dataDir)) < 0) return over.abort(new NoRoom("there is no room"));
    if (percent !== noted) await note(db.write, film.id, { convertedPercent: percent });
    noted = percent;
  }
  return {
    over: over.signal,
    note(doneMs: number) {
      const whole = film.durationMs ? (100 * doneMs) / film.durationMs : 0;
      percent = Math.max(percent, Math.min(99, Math.floor(whole)));
    },
    stop() {
      clearInterval(timer);
      return noting;
    },
  };
}

/** @throws {NoRoom} */
async function requireRoom({ config, storage }: Services, { size, durationMs }: Wanted) {
  const made = durationMs === null ? size : madeBytes(durationMs);
  const needed = made + (storage.kind === "s3" ? size : 0);
  if ((await roomIn(config.dataDir)) < needed) throw new NoRoom("there is no room");
}

/** Where ffmpeg can read the film; it is copied only from a store that is elsewhere. */
async function localCopy({ storage }: Services, { bucket, key }: Wanted, folder: string) {
  if (bucket !== mediaBuckets.video) throw new Error("not a film");
  if (storage.kind === "local") return storage.pathOf(bucket, key);
  const source = await storage.open(bucket, key);
  if (!source) throw new Error("the film is not in storage");
  const file = path.join(folder, "source");
  const target = await open(file, "wx", 0o600);
  try {
    for (let at = 0; at < source.size; ) {
      const piece = await source.read(at, pieceBytes);
      if (piece.length === 0) throw new Error("the film ends early");
      await target.writeFile(piece);
      at += piece.length;
    }
  } finally {
    await target.close();
    await source.close();
  }
  return file;
}

/** Moves what was made to storage, and records all of it at once.
 * @throws {NotWanted} and then nothing of it is there */
async function store(
  services: Services,
  film: Wanted,
  files: Record<Rendition, string | null>,
): Promise<void> {
  const { db, storage, clock } = services;
  const made: Awaited<ReturnType<typeof rowOf>>[] = [];
  for (const rendition of renditions) {
    const file = files[rendition];
    if (file) made.push(await rowOf(services, film, rendition, file));
  }
  const durationMs = made[0]?.row.durationMs ?? 0;
  if (durationMs < 0.9 * (film.durationMs ?? 0)) throw new CannotConvert("it became shorter");
  for (const { row, file } of made) await orNoRoom(storage.moveFile(row.bucket, row.key, file));
  const isStored = await db.transaction(async (trx) => {
    if (!(await findWanted(trx, film.id))) return false;
    await trx.deleteFrom("mediaFiles").where("renditionOf", "=", film.id).execute();
    const rows = made.map(({ row }) => ({ ...row, createdAt: clock.now() }));
    await trx.insertInto("mediaFiles").values(rows).execute();
    await note(trx, film.id, { convertedPercent: 100, conversionFault: null });
    return true;
  });
  if (isStored) return;
  for (const { row } of made) await storage.remove(row.bucket, row.key);
  throw new NotWanted();
}

async function rowOf(services: Services, film: Wanted, rendition: Rendition, file: string) {
  const bucket = mediaBuckets[rendition === "audio" ? "audio" : "video"];
  const fileName =
    film.fileName.replace(/\.[^.]*$/, "") + (rendition === "audio" ? ".m4a" : ".mp4");
  const key = await freeKey(services, film, bucket, `${rendition}-${fileName}`);
  const bytes = await openLocalFile(file);
  if (!bytes) throw new CannotConvert("nothing was made");
  try {
    const facts = await factsOf(bytes);
    if (rendition !== "audio" && !facts.videoCodec) throw new CannotConvert("it has no picture");
    const own = { id: newId(), bucket, key, fileName, contentType: contentType(bucket, key) };
    const { size } = await stat(file);
    return { file, row: { ...own, size, rendition, renditionOf: film.id, ...facts } };
  } finally {
    await bytes.close();
  }
}

async function factsOf(bytes: OpenFile) {
  const { inspect } = await import("~/platform/uploads/inspect.ts");
  const { durationMs } = await inspect(bytes);
  const unknown = { videoCodec: null, audioCodec: null, width: null, height: null };
  return { durationMs, ...((await readFilmFacts(bytes)) ?? unknown) };
}

async function freeKey(
  { storage, clock }: Services,
  { key, id }: Wanted,
  bucket: "course-videos" | "course-audio",
  fileName: string,
) {
  const folder = isMediaKey(key) ? (key.split("/")[0] ?? id) : id;
  let ms = clock.now().getTime();
  while (await storage.find(bucket, mediaKey(folder, ms, fileName))) ms += 1;
  return mediaKey(folder, ms, fileName);
}

/** Of the lesson that it was uploaded for, while that has this film and no poster. */
async function makePoster(services: Services, { lessonId, key }: Wanted, file: string) {
  const { write } = services.db;
  if (!lessonId || (await mediaKeys(write, lessonId)).video !== key) return;
  if (await findPoster(write, lessonId)) return;
  const bytes = await openLocalFile(file);
  if (!bytes) return;
  try {
    const still = await bytes.read(0, bytes.size);
    const userId = filmConversion.kind;
    const picture = await addPicture(services, { bytes: still, lessonId, userId });
    if (await findPoster(write, lessonId)) return;
    await setPoster(services, { lessonId, pictureId: picture.id });
  } finally {
    await bytes.close();
  }
}

/** Films of an hour's share of {@link readOldFilms}. */
const mostAtOnce = 20;

/** Reads what films are made of that came before the site did so, each once: where nothing can be
 * read, its codec is then empty. Converts what came before the site could. */
export const readOldFilms: RegularTask = {
  name: "media.films",
  async run(services) {
    const { db, config } = services;
    for (const film of await oldFilms(services).where("videoCodec", "is", null).execute()) {
      const facts = await factsInStorage(services, film);
      const unread = db.write.updateTable("mediaFiles").where("videoCodec", "is", null);
      const read = { ...facts, videoCodec: facts?.videoCodec ?? "" };
      await unread.set(read).where("id", "=", film.id).execute();
    }
    if (!config.ffmpegPath) return;
    const films = oldFilms(services, 10_000).where("videoCodec", "!=", "");
    const waiting = (await films.execute()).filter((film) => filmFault(film) !== null);
    for (const film of waiting.slice(0, mostAtOnce))
      await db.transaction((trx) => convertWhereNeeded(trx, services, film));
  },
};

const oldFilms = ({ db }: Services, most = mostAtOnce) =>
  db.read
    .selectFrom("mediaFiles")
    .select(["id", "key", "videoCodec", "audioCodec", "width", "height", "size", "durationMs"])
    .where("bucket", "=", mediaBuckets.video)
    .where("renditionOf", "is", null)
    .where("convertedPercent", "is", null)
    .where("unusedSinceAt", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("mediaFiles as made")
            .select("made.id")
            .whereRef("made.renditionOf", "=", "mediaFiles.id"),
        ),
      ),
    )
    .orderBy("id")
    .limit(most);

/** @throws when storage cannot be asked now */
async function factsInStorage({ storage }: Services, { key }: { key: string }) {
  const bytes = await storage.open(mediaBuckets.video, key);
  if (!bytes) return null;
  try {
    return await readFilmFacts(bytes);
  } finally {
    await bytes.close();
  }
}

/** Removes what a crash left of a conversion that is not to be done any more. */
export const cleanUpConversions: RegularTask = {
  name: "media.conversions",
  async run(services) {
    for (const id of (await orNull(readdir(folderOf(services)))) ?? []) {
      const open = services.db.write
        .selectFrom("outbox")
        .where("id", "=", id)
        .where("finishedAt", "is", null)
        .where("failedAt", "is", null);
      if (!(await isAny(open)))
        await rm(path.join(folderOf(services), id), { recursive: true, force: true });
    }
  },
};
