import { z } from "zod";
import { type LessonMails, lessonMails } from "../products/schema.ts";
import { prompts, slug } from "../schema.ts";

/** `course.yaml` of a sample course. `price` is in dollars, as the coach writes it. */
export const courseFile = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1),
  price: z.number().min(0),
  /** What is sent when a lesson opens. */
  lesson_mails: lessonMails.default("notice"),
});

/** `module.yaml` of one of its folders. */
export const moduleFile = z.strictObject({ title: z.string().min(1) });

/** The front matter of a lesson's Markdown file. */
export const lessonFrontMatter = z.strictObject({
  title: z.string().min(1),
  slug,
  drip_day: z.number().int().min(0).default(0),
  prompts: prompts.optional(),
  video: z.string().optional(),
  audio: z.string().optional(),
});

export type SampleLesson = z.infer<typeof lessonFrontMatter> & { content: string };
export type SampleModule = { title: string; lessons: SampleLesson[] };
export type SampleCourse = {
  slug: string;
  title: string;
  description: string;
  priceCents: number;
  lessonMails: LessonMails;
  modules: SampleModule[];
};
