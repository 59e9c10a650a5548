import { z } from "zod";

/**
 * Where somebody is in a video or an audio. `agoMs` is how long ago, by the clock of her device: a
 * position that waited there for a connection is older than when it arrives. `userId` is whose
 * page it is: somebody else may have signed in since in another tab.
 */
export const positionSave = z.object({
  userId: z.string().max(100).optional(),
  lessonId: z.string().max(100),
  kind: z.enum(["video", "audio"]),
  // PostgreSQL takes no NUL, not even to look for.
  key: z
    .string()
    .max(1000)
    .regex(/^[^\0]+$/),
  positionMs: z.number().int().min(0).max(2_000_000_000),
  agoMs: z.number().int().min(0).max(1e12).default(0),
});
export type PositionSave = z.infer<typeof positionSave>;

export type Kind = PositionSave["kind"];

/** A position as the server has it; `savedAt` tells one from the next (ISO). */
export type Position = { positionMs: number; savedAt: string };

/** A lesson's video or audio, as its player needs it. */
export type Media = {
  kind: Kind;
  /** Good for as long as the `expiresInMs` that came with it. */
  url: string;
  /** Which file it is: a position in another one says nothing. */
  key: string;
  /** Null where the file does not say. */
  durationMs: number | null;
  hasCaptions: boolean;
  transcript: string[];
  position: Position | null;
};

export type LessonMedia = {
  video: Media | null;
  audio: Media | null;
  expiresInMs: number;
};
