import { z } from "zod";
import { type MediaKind, mediaKinds } from "./messages.ts";
import { shownFileName } from "./rules.ts";

/** The metadata of a new upload, all text, as in tus. */
export const uploadMetadata = z.object({
  filename: z.string().transform(shownFileName).pipe(z.string().min(1)),
  kind: z.enum(["video", "audio"]),
  lessonId: z.uuid(),
  moduleId: z.uuid(),
});

/** A checked file in storage. `size` in bytes; `durationMs` is null if not stated by the file. */
export type MediaFile = {
  id: string;
  bucket: "course-videos" | "course-audio";
  key: string;
  fileName: string;
  contentType: string;
  size: number;
  durationMs: number | null;
  createdAt: Date;
};

/** An upload that has not become a file: incomplete ('open'), unchecked ('complete': finish it), or
 * refused, with the reason for the coach. */
export type OpenUpload = {
  id: string;
  kind: MediaKind;
  fileName: string;
  /** In bytes, as is `received`. */
  size: number;
  received: number;
  state: "open" | "complete" | "refused";
  reason: string | null;
  createdAt: Date;
};

/** The media of one kind. `key` without `file` is media not uploaded here, such as the samples. */
export type LessonMediaOfKind = {
  key: string | null;
  file: MediaFile | null;
  captions: string | null;
  transcript: string | null;
};

export type LessonMedia = Record<MediaKind, LessonMediaOfKind> & { uploads: OpenUpload[] };

/** A transcript and its version. */
export type Transcript = { text: string; version: string };

/** The result of saving a transcript; `changed` returns the one that is stored now. */
export type TranscriptSaved =
  | { is: "saved"; transcript: Transcript }
  | { is: "changed"; transcript: Transcript };

const text = z.string().transform((typed) => typed.replaceAll("\0", ""));

/** The forms of captions and transcripts. A chosen file takes precedence over pasted text. */
export const captionsRequest = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("captions"),
    version: z.string(),
    text: z.string().optional(),
    file: z.file().optional(),
  }),
  z.object({ intent: z.literal("remove"), version: z.string() }),
  z.object({
    intent: z.literal("transcript"),
    kind: z.enum(["video", "audio"]),
    text,
    version: z.string(),
  }),
]);
export type CaptionsRequest = z.infer<typeof captionsRequest>;

export type StoredMedia = {
  key: string;
  fileName: string;
  size: number | null;
  durationMs: number | null;
};

export type StoppedUpload = Omit<OpenUpload, "createdAt">;

export type KindState = {
  stored: StoredMedia | null;
  transcript: Transcript;
  uploads: StoppedUpload[];
};

export type PanelState = Record<MediaKind, KindState> & {
  captions: number | null;
  captionsVersion: string;
  limit: number;
};

export const mediaRequest = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("finish"), uploadId: z.uuid() }),
  z.object({
    intent: z.literal("remove"),
    kind: z.enum(mediaKinds),
    key: z.string().min(1).max(1000),
  }),
]);
export type MediaRequest = z.infer<typeof mediaRequest>;
