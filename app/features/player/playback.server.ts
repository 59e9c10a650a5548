import {
  findCourseAccess,
  getOutline,
  requireOpenLesson,
} from "~/features/enrollments/access.server.ts";
import { lessonByKey } from "~/features/enrollments/lesson-order.ts";
import { accessMessages } from "~/features/enrollments/messages.ts";
import { everyLessonOpen, type Lesson } from "~/features/enrollments/rules.ts";
import { mediaUrl } from "~/features/lesson-media/media.server.ts";
import { mediaBuckets } from "~/features/lesson-media/messages.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { mediaLifetimeSeconds } from "~/platform/storage/signature.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { paragraphsOf } from "~/platform/utils/paragraphs.ts";
import { playbackMessages } from "./messages.ts";
import type { Media, PlayableMedia, PlaybackKind, Position, PositionSave } from "./schema.ts";

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

type OfUser = { userId: string; lessonId: string };

/** A lesson's video and audio with the user's positions. The caller has checked access. */
export async function getLessonMedia(services: Services, of: OfUser): Promise<PlayableMedia> {
  const lesson = await lessonFiles(services.db.read, of.lessonId).executeTakeFirstOrThrow();
  return playableMedia(services, of, lesson);
}

/** {@link getLessonMedia} where the lesson's files were read already. */
export async function playableMedia(
  services: Services,
  { userId, lessonId }: OfUser,
  lesson: LessonFiles,
): Promise<PlayableMedia> {
  const hasMedia = lesson.muxPlaybackId || lesson.audioKey;
  const positions = hasMedia ? await listPositions(services.db.read, userId, lessonId) : [];
  const media = async (
    kind: PlaybackKind,
    key: string | null,
    durationMs: number | null,
    transcript: string | null,
  ): Promise<Media | null> => {
    const url = await mediaUrl(services, mediaBuckets[kind], key);
    if (!url || !key) return null;
    const row = positions.find((one) => one.kind === kind && one.key === key);
    return {
      ...{ kind, url, key, durationMs },
      hasCaptions: kind === "video" && (lesson.captionsLength ?? 0) > 0,
      transcript: paragraphsOf(transcript),
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
    .select(["lessons.muxPlaybackId", "lessons.audioKey"])
    .select(["lessons.videoTranscript", "lessons.audioTranscript"])
    .select(["video.durationMs as videoMs", "audio.durationMs as audioMs"])
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
