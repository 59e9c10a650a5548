import { z } from "zod";
import type { PublicPicture } from "~/features/pictures/rules.ts";
import {
  courseFormMessages,
  longestDescription,
  longestSlug,
  longestTitle,
  moduleMessages,
  slugMessages,
  slugPattern,
} from "./messages.ts";
import { parsePrice } from "./rules.ts";

/** A path segment: lowercase letters, digits and single hyphens. */
export const slug = z.string().trim().regex(slugPattern, slugMessages.invalid);

/** One journal question of a lesson (spec 3, lessons.prompts). */
export const prompt = z.object({
  question: z.string().trim().min(1),
  placeholder: z.string().trim().default(""),
});
export const prompts = z.array(prompt);
export type Prompt = z.infer<typeof prompt>;

/** A module as buyers may see it, without lesson content. `dripDay`: days after enrollment. */
export type CourseModule = {
  id: string;
  title: string;
  lessons: { id: string; title: string; dripDay: number }[];
};

/** A course as the public pages show it. `priceCents` is in US cents. */
export type Course = {
  id: string;
  slug: string;
  title: string;
  description: string | null;
  priceCents: number;
  active: boolean;
  /** Announced, and not sold or opened to students yet. */
  comingSoon: boolean;
  cover: PublicPicture | null;
};

const price = z.string({ error: courseFormMessages.priceMissing }).transform((typed, context) => {
  const parsed = parsePrice(typed);
  if ("cents" in parsed) return parsed.cents;
  context.addIssue(parsed.problem);
  return z.NEVER;
});

export const title = z
  .string({ error: courseFormMessages.titleMissing })
  .trim()
  .min(1, courseFormMessages.titleMissing)
  .max(longestTitle, courseFormMessages.titleLong);

/** What an opening lesson sends by email: nothing, a note with a link, or the lesson itself. */
export const lessonEmailModes = z.enum(["off", "notice", "lesson"], {
  error: courseFormMessages.lessonEmailsUnclear,
});
export type LessonEmailMode = z.infer<typeof lessonEmailModes>;

/** Spec 5, Admin forms: title, slug and price (in dollars) are required. Without `lessonEmails`
 * or `comingSoon`, what is stored is unchanged. */
export const courseFields = z
  .object({
    title,
    slug: z
      .string({ error: slugMessages.missing })
      .trim()
      .min(1, slugMessages.missing)
      .max(longestSlug, slugMessages.long)
      .regex(slugPattern, slugMessages.invalid),
    description: z
      .string()
      .default("")
      .transform((text) => text.replaceAll("\r\n", "\n").trim() || null)
      .pipe(z.string().max(longestDescription, courseFormMessages.descriptionLong).nullable()),
    price,
    lessonEmails: lessonEmailModes.optional(),
    comingSoon: z
      .enum(["yes", "no"], { error: courseFormMessages.comingSoonUnclear })
      .transform((typed) => typed === "yes")
      .optional(),
  })
  .transform(({ price: priceCents, ...fields }) => ({ ...fields, priceCents }));

export type CourseFields = z.infer<typeof courseFields>;

/** The first error of each field, by its name; null if there are none. */
export function fieldErrorsOf(
  parsed: z.ZodSafeParseResult<unknown>,
): Record<string, string> | null {
  if (parsed.success) return null;
  const fieldErrors: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) fieldErrors[String(path[0])] ??= message;
  return fieldErrors;
}

export type CourseChoice = { id: string; slug: string; title: string; active: boolean };

const orderNumber = z
  .string({ error: moduleMessages.orderMissing })
  .trim()
  .min(1, moduleMessages.orderMissing)
  .transform(Number)
  .pipe(
    z
      .int({ error: moduleMessages.orderLow })
      .min(1, moduleMessages.orderLow)
      .max(999_999_999, moduleMessages.orderHigh),
  );

/** Spec 5, Admin forms: course, title and order number are required. */
export const moduleFields = z.object({
  productId: z.string({ error: moduleMessages.courseMissing }).min(1, moduleMessages.courseMissing),
  title,
  orderNum: orderNumber,
});

export type ModuleFields = z.infer<typeof moduleFields>;

const direction = z.enum(["up", "down"]);
const beforeId = z.string().default("");

/** The forms of the outline (rules.ts, OutlineChange). */
export const outlineChange = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("move-lesson"),
    lessonId: z.string(),
    moduleId: z.string(),
    beforeId,
  }),
  z.object({ intent: z.literal("step-lesson"), lessonId: z.string(), direction }),
  z.object({ intent: z.literal("move-module"), moduleId: z.string(), beforeId }),
  z.object({ intent: z.literal("step-module"), moduleId: z.string(), direction }),
]);
