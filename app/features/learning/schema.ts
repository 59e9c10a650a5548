import { z } from "zod";

/** Longest answer to one prompt, in characters: a short novel. */
export const maxAnswerLength = 100_000;

/** Longest journal of one lesson, in characters. */
export const maxJournalLength = 400_000;

const maxAnswers = 100;
const maxQuestionLength = 5_000;

/** PostgreSQL takes neither NUL nor half a character; nobody can have meant to write them. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** One answer box: the question as the student saw it, and what she typed. */
export const answer = z.object({
  question: z.string().max(maxQuestionLength).transform(storable),
  answer: z.string().max(maxAnswerLength, "too long").transform(storable),
});
export type Answer = z.infer<typeof answer>;

export const lengthOf = (answers: Answer[]): number =>
  answers.reduce((sum, { answer }) => sum + answer.length, 0);

/** Counted before they are looked at: a hundred thousand empty ones take a second. */
export const answers = z
  .array(z.unknown())
  .max(maxAnswers)
  .pipe(z.array(answer))
  .refine((list) => lengthOf(list) <= maxJournalLength, { error: "too long" });

const revision = z.number().int().min(0).max(1_000_000_000);

/** A draft as a page knows it. Whoever gives it up gives up this much; later words stay. */
const seen = z.object({ id: z.uuid(), revision });
export type SeenDraft = z.infer<typeof seen>;

/**
 * A save of what is being typed. `revision` counts up with every change of one writing;
 * `userId` is whose page it is: somebody else may have signed in since in another tab.
 */
export const draftSave = z.object({
  userId: z.string().optional(),
  draftId: z.uuid(),
  lessonId: z.string().max(100),
  revision,
  answers,
  /** Older drafts of the lesson whose words were restored into these: they go with the saving. */
  absorbed: z.array(seen).max(100).default([]),
});
export type DraftSave = z.infer<typeof draftSave>;

export type Lesson = {
  id: string;
  slug: string;
  title: string;
  dripDay: number;
  isLocked: boolean;
  isCompleted: boolean;
};
export type Module<L = Lesson> = { id: string; title: string; lessons: L[] };
