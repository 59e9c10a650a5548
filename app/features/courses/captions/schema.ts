import { z } from "zod";

/** A transcript, and the name of this state of it. */
export type Transcript = { text: string; version: string };

/** What became of a transcript that was sent; `changed` brings the one that is kept now. */
export type TranscriptSaved =
  | { is: "saved"; transcript: Transcript }
  | { is: "changed"; transcript: Transcript };

const text = z.string().transform((typed) => typed.replaceAll("\0", ""));

/** What the forms of captions and transcripts ask for. A file that was chosen goes before pasted text. */
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
