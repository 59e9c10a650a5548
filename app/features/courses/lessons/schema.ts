import { z } from "zod";
import { longestSlug, slugPattern, slugTexts } from "../slugs/texts.ts";
import { type FieldName, formMessages, maxContent, maxNumber, maxTitle } from "./texts.ts";

const number = (lowest: number, required: string, shape: string) =>
  z
    .string()
    .trim()
    .min(1, required)
    .regex(/^\d{1,9}$/, shape)
    .transform(Number)
    .refine((value) => value >= lowest && value <= maxNumber, shape);

/** The form of a lesson without its prompts (spec 5, Admin forms), as text in, as values out. */
export const lessonForm = z.object({
  title: z.string().trim().min(1, formMessages.title).max(maxTitle, formMessages.longTitle),
  moduleId: z.string().min(1, formMessages.module),
  slug: z
    .string()
    .trim()
    .min(1, slugTexts.missing)
    .max(longestSlug, slugTexts.long)
    .regex(slugPattern, slugTexts.invalid),
  orderNum: number(1, formMessages.order, formMessages.orderShape),
  // An empty box is a lesson that is open from the first day (spec 9, Drip).
  dripDay: z
    .string()
    .transform((text) => text.trim() || "0")
    .pipe(number(0, formMessages.drip, formMessages.drip)),
  content: z.string().max(maxContent, formMessages.longContent),
});

/** A lesson's form, each field as it was typed or as it would be. */
export type Fields = Record<FieldName, string>;
export type FieldErrors = Partial<Record<FieldName, string>>;

/** Fields as they come from anywhere: missing ones are empty, unknown ones are left out. */
const text = z.string().catch("");
export const typedFields = z.object({
  title: text,
  moduleId: text,
  slug: text,
  orderNum: text,
  dripDay: text,
  content: text,
  prompts: text,
}) satisfies z.ZodType<Fields>;

/** What a draft keeps: the fields, and the order number that the form was given. */
export const draftFields = typedFields.extend({ orderBefore: text });
export type DraftFields = z.infer<typeof draftFields>;
