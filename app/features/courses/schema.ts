import { z } from "zod";
import { slugPattern, slugTexts } from "./slugs/texts.ts";

/** A path segment: small letters, digits and single hyphens. */
export const slug = z.string().trim().regex(slugPattern, slugTexts.invalid);

/** One journal question of a lesson (spec 3, lessons.prompts). */
export const prompt = z.object({
  question: z.string().trim().min(1),
  placeholder: z.string().trim().default(""),
});
export const prompts = z.array(prompt);
export type Prompt = z.infer<typeof prompt>;

/**
 * What a course holds, as a buyer may know it: titles and days, nothing of what the lessons say.
 * `dripDay` is in whole days after enrollment; 0 is at once.
 */
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
};
