import type { Services } from "~/platform/http/services.ts";
import { versionOf } from "./captions.server.ts";
import { countCues } from "./captions.ts";
import { listLessonMedia, mediaUrl } from "./media.server.ts";
import { type MediaKind, mediaBuckets } from "./messages.ts";
import type { KindState, LessonMediaOfKind, MediaRequest, PanelState } from "./schema.ts";
import { detachMedia, finishUpload } from "./uploads.server.ts";

export async function getPanel(services: Services, lessonId: string): Promise<PanelState> {
  const media = await listLessonMedia(services, lessonId);
  const ofKind = (kind: MediaKind): KindState => ({
    stored: storedOf(media[kind]),
    transcript: { text: media[kind].transcript ?? "", version: versionOf(media[kind].transcript) },
    uploads: media.uploads
      .filter((upload) => upload.kind === kind)
      .map(({ createdAt: _, ...upload }) => upload),
  });
  const { captions } = media.video;
  return {
    video: ofKind("video"),
    audio: ofKind("audio"),
    captions: captions === null ? null : countCues(captions),
    captionsVersion: versionOf(captions),
    limit: services.config.uploadLimitBytes,
  };
}

function storedOf({ key, file }: LessonMediaOfKind): KindState["stored"] {
  if (!key) return null;
  return {
    key,
    fileName: file?.fileName ?? key.split("/").at(-1) ?? key,
    size: file?.size ?? null,
    durationMs: file?.durationMs ?? null,
  };
}

/** A URL of a lesson's video or audio for its author; null if there is none. */
export async function playableAddress(
  services: Services,
  lessonId: string,
  kind: string,
): Promise<string | null> {
  if (kind !== "video" && kind !== "audio") return null;
  const media = await listLessonMedia(services, lessonId);
  return mediaUrl(services, mediaBuckets[kind], media[kind].key);
}

type Asked = MediaRequest & { lessonId: string; userId: string };

/** Checks an upload and adds it to the lesson, or removes the file shown. Idempotent.
 * @throws {Refused} not_found, conflict, invalid with the reason */
export async function answerMediaRequest(services: Services, asked: Asked): Promise<void> {
  const { lessonId, userId } = asked;
  if (asked.intent === "finish") await finishUpload(services, { uploadId: asked.uploadId, userId });
  else await detachMedia(services, { lessonId, kind: asked.kind, key: asked.key });
}
