import { z } from "zod";
import { renditions } from "./films.ts";
import { mediaKinds, uploadKinds } from "./messages.ts";
import { shownFileName } from "./rules.ts";

/** The metadata of a new upload, all text, as in tus. With `rendition` it was made of the film
 * `renditionOf`, and goes with that. */
export const uploadMetadata = z
  .object({
    filename: z.string().transform(shownFileName).pipe(z.string().min(1)),
    kind: z.enum(uploadKinds),
    lessonId: z.uuid(),
    moduleId: z.uuid(),
    rendition: z.enum(renditions).optional(),
    renditionOf: z.uuid().optional(),
  })
  .refine(
    ({ rendition, renditionOf, kind }) =>
      !rendition === !renditionOf &&
      (!rendition || (kind !== "file" && (kind === "audio") === (rendition === "audio"))),
    { path: ["lessonId"] },
  );

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
    kind: z.enum(mediaKinds),
    text,
    version: z.string(),
  }),
]);
export type CaptionsRequest = z.infer<typeof captionsRequest>;

/** The forms of a lesson's downloads. `before`: the title as seen; no `beforeId`: to the end. */
export const fileRequest = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("rename"), file: z.uuid(), title: text, before: z.string() }),
  z.object({ intent: z.literal("move"), file: z.uuid(), beforeId: z.uuid().or(z.literal("")) }),
  z.object({ intent: z.literal("remove"), file: z.uuid() }),
]);
export type FileRequest = z.infer<typeof fileRequest>;

/** The form that removes a lesson's video or audio. */
export const removeMediaRequest = z.object({
  intent: z.literal("remove"),
  kind: z.enum(mediaKinds),
  key: z.string().min(1).max(1000),
});
