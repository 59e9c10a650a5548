import { z } from "zod";
import type { Transcript } from "../captions/schema.ts";
import type { OpenUpload } from "../media/schema.ts";
import type { MediaKind } from "../media/texts.ts";
import { mediaKinds } from "./texts.ts";

/** A lesson's video or audio. Size and length are null where nobody knows them, as of the samples. */
export type StoredMedia = {
  key: string;
  fileName: string;
  size: number | null;
  durationMs: number | null;
};

/** An upload as a browser gets it. */
export type StoppedUpload = Omit<OpenUpload, "createdAt">;

/** What there is of one kind. Uploads: newest first. */
export type KindState = {
  stored: StoredMedia | null;
  transcript: Transcript;
  uploads: StoppedUpload[];
};

/** All that the panel shows of a lesson, saved or not. */
export type PanelState = Record<MediaKind, KindState> & {
  /** How many captions the video has; null for none. */
  captions: number | null;
  /** Names this state of the captions, also of none. */
  captionsVersion: string;
  /** The largest file that may be uploaded, in bytes. */
  limit: number;
};

/** What the panel asks of a lesson's media. */
export const mediaRequest = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("finish"), uploadId: z.uuid() }),
  z.object({
    intent: z.literal("remove"),
    kind: z.enum(mediaKinds),
    /** The file that was shown. */
    key: z.string().min(1).max(1000),
  }),
]);
export type MediaRequest = z.infer<typeof mediaRequest>;
