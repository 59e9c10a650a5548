import { z } from "zod";
import { longestSlug, slugMessages, slugPattern } from "~/features/courses/messages.ts";
import { type PromptsAsked, readPrompts } from "~/features/courses/prompts.ts";
import { draftRevision, draftSave } from "~/features/drafts/schema.ts";
import { waitingPicture } from "~/features/pictures/rules.ts";
import { plainBreaks } from "./differences.ts";
import {
  type FieldErrors,
  type FieldName,
  type Fields,
  formMessages,
  maxContent,
  maxNumber,
  maxTitle,
} from "./messages.ts";

const number = (lowest: number, required: string, shape: string) =>
  z
    .string()
    .trim()
    .min(1, required)
    .regex(/^\d{1,9}$/, shape)
    .transform(Number)
    .refine((value) => value >= lowest && value <= maxNumber, shape);

/** The form of a lesson without its prompts (spec 5, Admin forms): text in, values out. */
const lessonForm = z.object({
  title: z.string().trim().min(1, formMessages.title).max(maxTitle, formMessages.longTitle),
  moduleId: z.string().min(1, formMessages.module),
  slug: z
    .string()
    .trim()
    .min(1, slugMessages.missing)
    .max(longestSlug, slugMessages.long)
    .regex(slugPattern, slugMessages.invalid),
  orderNum: number(1, formMessages.order, formMessages.orderShape),
  // An empty field means that the lesson is open from the first day (spec 9, Drip).
  dripDay: z
    .string()
    .transform((text) => text.trim() || "0")
    .pipe(number(0, formMessages.drip, formMessages.drip)),
  content: z
    .string()
    .max(maxContent, formMessages.longContent)
    .superRefine((content, { addIssue }) => {
      const name = waitingPicture(content);
      if (name !== null) addIssue({ code: "custom", message: formMessages.waitingPicture(name) });
    }),
});

export type LessonValues = z.infer<typeof lessonForm>;

type Read = { values: LessonValues; prompts: PromptsAsked };
type Unread = { errors: FieldErrors; detail: string | null };

/** Reads a whole form (spec 5, Admin forms). Each field has its own first error. */
export function readLesson(fields: Fields): Read | Unread {
  const form = lessonForm.safeParse({ ...fields, content: plainBreaks(fields.content) });
  const prompts = readPrompts(plainBreaks(fields.prompts));
  if (form.success && "asked" in prompts) return { values: form.data, prompts: prompts.asked };
  const errors: FieldErrors = {};
  for (const { path, message } of form.error?.issues ?? [])
    errors[path[0] as FieldName] ??= message;
  if ("error" in prompts) errors.prompts = prompts.error.message;
  return { errors, detail: "error" in prompts ? prompts.error.detail : null };
}

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

/** What a draft stores: the fields, and the order number that the form was opened with. */
export const draftFields = typedFields.extend({ orderBefore: text });
export type DraftFields = z.infer<typeof draftFields>;

/** PostgreSQL accepts neither NUL nor lone surrogates. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** Longer than any field may be: text too long to be saved is still stored as a draft. */
const longest = 1_000_000;

/** An autosave of a lesson's form. */
export const lessonDraftSave = draftSave.extend({
  /** The lesson's revision that the draft started from; 0 for a new lesson. */
  baseRevision: draftRevision,
  fields: z
    .record(z.string().max(40), z.string().max(longest).transform(storable))
    .refine((fields) => Object.keys(fields).length <= 20, "too many"),
});
export type LessonDraftSave = z.infer<typeof lessonDraftSave>;
