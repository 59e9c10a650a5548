import { type PromptsAsked, readPrompts } from "~/features/courses/prompts.ts";
import { plainBreaks } from "./differences.ts";
import type { FieldName } from "./messages.ts";
import { type FieldErrors, type Fields, lessonForm } from "./schema.ts";

export type LessonValues = {
  title: string;
  moduleId: string;
  slug: string;
  orderNum: number;
  dripDay: number;
  content: string;
};

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
