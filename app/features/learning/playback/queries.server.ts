import { mediaUrl } from "~/features/courses/media/queries.server.ts";
import type { Viewer } from "~/platform/auth/session.ts";
import type { Query } from "~/platform/db/database.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { mediaLifetimeSeconds } from "~/platform/storage/signature.ts";
import { findSeat, getOutline } from "../queries.server.ts";
import { lessonByKey } from "../rules.ts";
import type { Lesson } from "../schema.ts";
import { outcomes } from "../texts.ts";
import { paragraphs } from "./rules.ts";
import type { Kind, LessonMedia, Media, Position } from "./schema.ts";
import { messages } from "./texts.ts";

type Asked = { viewer: Pick<Viewer, "id" | "role">; slug: string; key: string | null };

/**
 * The lesson that an address names, for whoever may read it (design section 6): enrolled, and the
 * lesson is open, or an administrator.
 * @throws {Refused} not_found, not_enrolled or locked
 */
export async function readableLesson(
  services: Services,
  { viewer, slug, key }: Asked,
): Promise<Lesson> {
  const seat = await findSeat(services, { userId: viewer.id, slug });
  if (!seat) throw new Refused("not_found", messages.noCourse);
  const enrolledAt = viewer.role === "admin" ? new Date(0) : seat.enrolledAt;
  if (!enrolledAt) throw new Refused("not_enrolled", outcomes.notEnrolled.description);
  const asked = { userId: viewer.id, productId: seat.id, enrolledAt };
  const lesson = lessonByKey(await getOutline(services, asked), key ?? "");
  if (!lesson) throw new Refused("not_found", messages.noLesson);
  if (lesson.isLocked) throw new Refused("locked", outcomes.locked);
  return lesson;
}

/** The video and the audio of a lesson that this person may read, and where she is in them. */
export async function getLessonMedia(
  services: Services,
  { userId, lessonId }: { userId: string; lessonId: string },
): Promise<LessonMedia> {
  const lesson = await filesOf(services.db.read, lessonId);
  const positions =
    lesson.muxPlaybackId || lesson.audioKey
      ? await listPositions(services.db.read, userId, lessonId)
      : [];
  const positionIn = (kind: Kind, key: string): Position | null => {
    const row = positions.find((row) => row.kind === kind && row.key === key);
    return row ? { positionMs: row.positionMs, savedAt: row.updatedAt.toISOString() } : null;
  };
  const [videoUrl, audioUrl] = await Promise.all([
    mediaUrl(services, "course-videos", lesson.muxPlaybackId),
    mediaUrl(services, "course-audio", lesson.audioKey),
  ]);
  const media = (kind: Kind, url: string | null, key: string | null): Media | null =>
    url && key
      ? {
          kind,
          url,
          key,
          durationMs: kind === "video" ? lesson.videoMs : lesson.audioMs,
          hasCaptions: kind === "video" && (lesson.captionsLength ?? 0) > 0,
          transcript: paragraphs(
            kind === "video" ? lesson.videoTranscript : lesson.audioTranscript,
          ),
          position: positionIn(kind, key),
        }
      : null;
  return {
    video: media("video", videoUrl, lesson.muxPlaybackId),
    audio: media("audio", audioUrl, lesson.audioKey),
    expiresInMs: mediaLifetimeSeconds * 1000,
  };
}

function filesOf(db: Query, lessonId: string) {
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
    .where("lessons.id", "=", lessonId)
    .executeTakeFirstOrThrow();
}

function listPositions(db: Query, userId: string, lessonId: string) {
  return db
    .selectFrom("playbackPositions")
    .select(["kind", "key", "positionMs", "updatedAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .execute();
}
