import type { Services } from "~/platform/services.ts";
import { versionOf } from "../captions/queries.server.ts";
import { countCues } from "../captions/rules.ts";
import { listLessonMedia, mediaUrl } from "../media/queries.server.ts";
import type { LessonMediaOfKind } from "../media/schema.ts";
import { type MediaKind, mediaBuckets } from "../media/texts.ts";
import type { KindState, PanelState } from "./schema.ts";

/** What the media panel shows of a lesson, which may not have been saved yet. */
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

/** An address of a lesson's video or audio for its author; null when there is none. */
export async function playableAddress(
  services: Services,
  lessonId: string,
  kind: string,
): Promise<string | null> {
  if (kind !== "video" && kind !== "audio") return null;
  const media = await listLessonMedia(services, lessonId);
  return mediaUrl(services, mediaBuckets[kind], media[kind].key);
}
