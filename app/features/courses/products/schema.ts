import { z } from "zod";
import { longestSlug, slugPattern, slugTexts } from "../slugs/texts.ts";
import { parsePrice } from "./rules.ts";
import { courseTexts, longestDescription, longestTitle } from "./texts.ts";

const price = z.string({ error: courseTexts.priceMissing }).transform((typed, context) => {
  const parsed = parsePrice(typed);
  if ("cents" in parsed) return parsed.cents;
  context.addIssue(parsed.problem);
  return z.NEVER;
});

/** The title of a course, a module or a lesson. */
export const title = z
  .string({ error: courseTexts.titleMissing })
  .trim()
  .min(1, courseTexts.titleMissing)
  .max(longestTitle, courseTexts.titleLong);

/** What students get by mail when a lesson opens: nothing, a note with the link, or the lesson itself. */
export const lessonMails = z.enum(["off", "notice", "lesson"], {
  error: courseTexts.lessonMailsUnclear,
});
export type LessonMails = z.infer<typeof lessonMails>;

/**
 * Spec 5, Admin forms: title, slug and price required. The price is typed in dollars. What is sent
 * when a lesson opens stays as it is where a form does not say.
 */
export const courseFields = z
  .object({
    title,
    slug: z
      .string({ error: slugTexts.missing })
      .trim()
      .min(1, slugTexts.missing)
      .max(longestSlug, slugTexts.long)
      .regex(slugPattern, slugTexts.invalid),
    description: z
      .string()
      .default("")
      .transform((text) => text.replaceAll("\r\n", "\n").trim() || null)
      .pipe(z.string().max(longestDescription, courseTexts.descriptionLong).nullable()),
    price,
    lessonMails: lessonMails.optional(),
  })
  .transform(({ price: priceCents, ...fields }) => ({ ...fields, priceCents }));

export type CourseFields = z.infer<typeof courseFields>;

/** The first thing wrong with each field, by its name; null when nothing is. */
export function complaintsOf(parsed: z.ZodSafeParseResult<unknown>): Record<string, string> | null {
  if (parsed.success) return null;
  const complaints: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) complaints[String(path[0])] ??= message;
  return complaints;
}

/** A course among others to choose from. */
export type CourseChoice = { id: string; title: string; active: boolean };
