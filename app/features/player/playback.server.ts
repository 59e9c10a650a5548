import {
  findCourseAccess,
  getOutline,
  requireOpenLesson,
} from "~/features/enrollments/access.server.ts";
import { lessonByKey } from "~/features/enrollments/lesson-order.ts";
import { accessMessages } from "~/features/enrollments/messages.ts";
import { everyLessonOpen, type Lesson } from "~/features/enrollments/rules.ts";
import { mediaUrl, renditionsOf } from "~/features/lesson-media/media.server.ts";
import { mediaBuckets } from "~/features/lesson-media/messages.ts";
import { posterPath } from "~/features/pictures/rules.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { mediaLifetimeSeconds } from "~/platform/storage/signature.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { paragraphsOf } from "~/platform/utils/paragraphs.ts";
import { playbackMessages } from "./messages.ts";
import type {
  Edition,
  Media,
  PlayableMedia,
  PlaybackKind,
  Position,
  PositionSave,
} from "./schema.ts";

type Asked = { viewer: Pick<CurrentUser, "id" | "role">; slug: string; key: string | null };

/** The lesson of a URL, for a viewer who may read it: enrolled with the lesson
 * open, or an administrator. @throws {Refused} not_found, not_enrolled or locked */
export async function readableLesson(
  services: Services,
  { viewer, slug, key }: Asked,
): Promise<Lesson> {
  const course = await findCourseAccess(services, { userId: viewer.id, slug });
  if (!course) throw new Refused("not_found", playbackMessages.noCourse);
  const enrolledAt = viewer.role === "admin" ? everyLessonOpen : course.enrolledAt;
  if (!enrolledAt) throw new Refused("not_enrolled", accessMessages.notEnrolled.description);
  const asked = { userId: viewer.id, productId: course.id, enrolledAt };
  const lesson = lessonByKey(await getOutline(services, asked), key ?? "");
  if (!lesson) throw new Refused("not_found", playbackMessages.noLesson);
  if (lesson.isLocked) throw new Refused("locked", accessMessages.locked);
  return lesson;
}

type OfUser = { userId: string; lessonId: string; edition: Edition };

/** Phones and those who save data get the small film; `?listen=on` its sound. Browsers say so by
 * themselves (Sec-CH-UA-Mobile, Save-Data), the others in their name: no script waits for it. */
export function editionFor(headers: Headers, url: URL): Edition {
  const hint = headers.get("sec-ch-ua-mobile");
  const isPhone = hint ? hint === "?1" : /\bMobile\b/.test(headers.get("user-agent") ?? "");
  const small = isPhone || headers.get("save-data") === "on";
  return { small, listen: url.searchParams.get("listen") === "on" };
}

/** A lesson's video and audio with the user's positions. The caller has checked access. */
export async function getLessonMedia(services: Services, of: OfUser): Promise<PlayableMedia> {
  const lesson = await lessonFiles(services.db.read, of.lessonId).executeTakeFirstOrThrow();
  return playableMedia(services, of, lesson);
}

/** {@link getLessonMedia} where the lesson's files were read already. */
export async function playableMedia(
  services: Services,
  { userId, lessonId, edition }: OfUser,
  lesson: LessonFiles,
): Promise<PlayableMedia> {
  const hasMedia = lesson.muxPlaybackId || lesson.audioKey;
  const positions = hasMedia ? await listPositions(services.db.read, userId, lessonId) : [];
  const made = lesson.videoId ? await renditionsOf(services.db.read, lesson.videoId) : [];
  const isSound = edition.listen && made.some(({ rendition }) => rendition === "audio");
  const wanted = isSound ? ["audio"] : edition.small ? ["480p", "1080p"] : ["1080p"];
  const media = async (
    kind: PlaybackKind,
    key: string | null,
    durationMs: number | null,
    transcript: string | null,
  ): Promise<Media | null> => {
    if (!key) return null;
    const isFilm = kind === "video";
    // What is made of a film has its key here: positions and captions are those of the film.
    const instead = isFilm
      ? wanted.flatMap((name) => made.find((one) => one.rendition === name) ?? [])
      : [];
    let url: string | null = null;
    for (const file of [...instead, { bucket: mediaBuckets[kind], key }])
      url ??= await mediaUrl(services, file.bucket as Bucket, file.key);
    if (!url) return null;
    const row = positions.find((one) => one.kind === kind && one.key === key);
    return {
      ...{ kind, url, key, durationMs },
      hasCaptions: kind === "video" && (lesson.captionsLength ?? 0) > 0,
      poster:
        kind === "video" && lesson.posterId ? posterPath(lesson.posterId, lesson.widths) : null,
      transcript: paragraphsOf(transcript),
      isSound: isFilm && isSound,
      other:
        isFilm && made.some(({ rendition }) => rendition === "audio")
          ? otherEdition(isSound)
          : null,
      position: row ? { positionMs: row.positionMs, savedAt: row.updatedAt.toISOString() } : null,
    };
  };
  const { muxPlaybackId, videoMs, videoTranscript, audioKey, audioMs, audioTranscript } = lesson;
  const [video, audio] = await Promise.all([
    media("video", muxPlaybackId, videoMs, videoTranscript),
    media("audio", audioKey, audioMs, audioTranscript),
  ]);
  return { video, audio, expiresInMs: mediaLifetimeSeconds * 1000 };
}

const otherEdition = (isSound: boolean) =>
  isSound
    ? { label: playbackMessages.watch, query: "" }
    : { label: playbackMessages.listen, query: "&listen=on" };

type LessonFiles = Awaited<ReturnType<ReturnType<typeof lessonFiles>["executeTakeFirstOrThrow"]>>;

/** The query for a lesson's files and transcripts. Lengths in ms, null if the file states none;
 * `captionsLength` in characters. */
export function lessonFiles(db: Query, lessonId: string) {
  return db
    .selectFrom("lessons")
    .leftJoin("mediaFiles as video", (join) =>
      join
        .on("video.bucket", "=", "course-videos")
        .onRef("video.key", "=", "lessons.muxPlaybackId"),
    )
    .leftJoin("mediaFiles as audio", (join) =>
      join.on("audio.bucket", "=", "course-audio").onRef("audio.key", "=", "lessons.audioKey"),
    )
    .leftJoin("pictureUses as posterUse", (join) =>
      join.onRef("posterUse.lessonId", "=", "lessons.id").on("posterUse.what", "=", "poster"),
    )
    .leftJoin("pictures as poster", "poster.id", "posterUse.pictureId")
    .select(["poster.id as posterId", "poster.widths"])
    .select(["lessons.muxPlaybackId", "lessons.audioKey"])
    .select(["lessons.videoTranscript", "lessons.audioTranscript"])
    .select(["video.id as videoId", "video.durationMs as videoMs", "audio.durationMs as audioMs"])
    .select(({ fn }) => fn<number | null>("length", ["lessons.videoCaptions"]).as("captionsLength"))
    .where("lessons.id", "=", lessonId);
}

function listPositions(db: Query, userId: string, lessonId: string) {
  return db
    .selectFrom("playbackPositions")
    .select(["kind", "key", "positionMs", "updatedAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .execute();
}

type OwnPosition = Omit<PositionSave, "userId"> & { userId: string };

/** Saves where a student is in a lesson's video or audio. The newest measurement wins, by the
 * server's clock: a position that waited on a device for a connection overwrites nothing measured
 * later, on any device. A position in a replaced file gives way to any in the new one. @returns the
 * position that stands now, this one or a newer one. @throws {Refused} not_found (also for a file
 * that the lesson does not have), not_enrolled, locked */
export async function savePosition(services: Services, save: OwnPosition): Promise<Position> {
  const { userId, lessonId, kind, key, positionMs } = save;
  const now = services.clock.now();
  const measuredAt = new Date(now.getTime() - save.agoMs);
  return services.db.transaction(async (trx) => {
    await requireOpenLesson(trx, { userId, lessonId, now });
    await requireFile(trx, save);
    const state = { key, positionMs, updatedAt: measuredAt };
    await trx
      .insertInto("playbackPositions")
      .values({ userId, lessonId, kind, ...state })
      .onConflict((conflict) =>
        conflict
          .columns(["userId", "lessonId", "kind"])
          .doUpdateSet(state)
          .where((eb) =>
            eb.or([
              eb("playbackPositions.updatedAt", "<", measuredAt),
              eb("playbackPositions.key", "!=", key),
            ]),
          ),
      )
      .execute();
    const row = await trx
      .selectFrom("playbackPositions")
      .select(["positionMs", "updatedAt"])
      .where("userId", "=", userId)
      .where("lessonId", "=", lessonId)
      .where("kind", "=", kind)
      .executeTakeFirstOrThrow();
    return { positionMs: row.positionMs, savedAt: row.updatedAt.toISOString() };
  });
}

async function requireFile(trx: Query, { lessonId, kind, key }: OwnPosition): Promise<void> {
  const column = kind === "video" ? "muxPlaybackId" : "audioKey";
  const lesson = trx.selectFrom("lessons").where("id", "=", lessonId).where(column, "=", key);
  if (!(await isAny(lesson))) throw new Refused("not_found", playbackMessages.noFile);
}
