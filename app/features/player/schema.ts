import { z } from "zod";
import { mediaKinds } from "~/features/lesson-media/messages.ts";

/** `agoMs` is the age of the position by the device's clock: it may have waited for a
 * connection. `userId` is whose page it is: another user may have signed in since. */
export const positionSave = z.object({
  userId: z.string().max(100).optional(),
  lessonId: z.string().max(100),
  kind: z.enum(mediaKinds),
  // PostgreSQL takes no NUL, not even in comparisons.
  key: z
    .string()
    .max(1000)
    .regex(/^[^\0]+$/),
  positionMs: z.number().int().min(0).max(2_000_000_000),
  agoMs: z.number().int().min(0).max(1e12).default(0),
});
export type PositionSave = z.infer<typeof positionSave>;

export type PlaybackKind = PositionSave["kind"];

/** `savedAt` (ISO) tells one saved position from the next. */
export type Position = { positionMs: number; savedAt: string };

export type Media = {
  kind: PlaybackKind;
  /** Expires with the `expiresInMs` that came with it. */
  url: string;
  /** Identifies the file: a position in another file says nothing. */
  key: string;
  /** Null where the file does not say. */
  durationMs: number | null;
  hasCaptions: boolean;
  /** The address of the picture that is shown before the video plays. */
  poster: string | null;
  transcript: string[];
  position: Position | null;
  /** The URL is that of a film's sound alone. */
  isSound: boolean;
  /** From the film to its sound, or back: what it is called, and the end of its address. */
  other: { label: string; query: string } | null;
};

/** Which edition of a film a viewer gets: a small one, or its sound alone. */
export type Edition = { small: boolean; listen: boolean };

export type PlayableMedia = {
  video: Media | null;
  audio: Media | null;
  expiresInMs: number;
};
