import { z } from "zod";
import { shownFileName } from "./rules.ts";
import type { MediaKind } from "./texts.ts";

/** What an upload says of itself when it begins: all of it text, as tus has it. */
export const uploadMetadata = z.object({
  filename: z.string().transform(shownFileName).pipe(z.string().min(1)),
  kind: z.enum(["video", "audio"]),
  lessonId: z.uuid(),
  moduleId: z.uuid(),
});

/** A checked file in storage. `size` is in bytes; the duration is null where the file does not say. */
export type MediaFile = {
  id: string;
  bucket: "course-videos" | "course-audio";
  key: string;
  /** As it was called on the coach's machine. */
  fileName: string;
  contentType: string;
  size: number;
  durationMs: number | null;
  createdAt: Date;
};

/**
 * An upload that has not become a file: still coming ('open'), all there but not checked yet
 * ('complete': finish it), or refused, with the reason in words for the coach.
 */
export type OpenUpload = {
  id: string;
  kind: MediaKind;
  fileName: string;
  /** In bytes, of the whole file and of what has arrived. */
  size: number;
  received: number;
  state: "open" | "complete" | "refused";
  reason: string | null;
  createdAt: Date;
};

/**
 * What a lesson has of one kind. `key` without `file` is media that was never uploaded here,
 * such as that of the sample courses.
 */
export type LessonMediaOfKind = {
  key: string | null;
  file: MediaFile | null;
  captions: string | null;
  transcript: string | null;
};

/** Everything there is for a lesson, saved or not. Uploads: newest first. */
export type LessonMedia = Record<MediaKind, LessonMediaOfKind> & { uploads: OpenUpload[] };
