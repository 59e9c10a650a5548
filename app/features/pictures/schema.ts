import { z } from "zod";
import { longestAlt } from "./messages.ts";

const id = z.uuid();
const file = z.instanceof(File).optional();
const alt = z
  .string()
  .default("")
  .transform((text) => text.replaceAll("\0", "").toWellFormed().replace(/\s+/g, " ").trim())
  .transform((text) => text.slice(0, longestAlt));

/** The form that brings a picture, and what it is for: `id` is of the lesson or course. */
export const pictureRequest = z.discriminatedUnion("use", [
  z.object({ use: z.literal("lesson"), id, file }),
  z.object({ use: z.literal("page"), file }),
  z.object({ use: z.literal("poster"), id, file, intent: z.enum(["set", "remove"]) }),
  z.object({
    use: z.literal("cover"),
    id,
    file,
    alt,
    intent: z.enum(["set", "describe", "remove"]),
  }),
  z.object({ use: z.literal("portrait"), file, intent: z.enum(["set", "remove"]) }),
]);
export type PictureRequest = z.infer<typeof pictureRequest>;

/** What a script gets back of a new picture of a lesson or a page: `line` is its Markdown. */
export type AddedPicture = { id: string; line: string; src: string; width: number; height: number };
