import { z } from "zod";

/** What one lesson's journal may hold, in characters; several books. */
export const maxJournalLength = 2_000_000;

/** Between two prompts in the journal text (spec 5, Journal). */
export const journalSeparator = "\n\n---\n\n";

/** One answer box: the question as the student saw it, and what she typed. */
export const answer = z.object({ question: z.string().max(5_000), answer: z.string() });
export type Answer = z.infer<typeof answer>;

export const answers = z
  .array(answer)
  .max(100)
  .refine((list) => list.reduce((sum, { answer }) => sum + answer.length, 0) <= maxJournalLength, {
    error: "too long",
  });

/** A save of what is being typed. `revision` counts up with every save of one writing. */
export const draftSave = z.object({
  draftId: z.uuid(),
  lessonId: z.string().max(100),
  revision: z.number().int().min(0).max(1_000_000_000),
  answers,
});
export type DraftSave = z.infer<typeof draftSave>;

/** Every text of spec 8 that the player shows, and its own beside them. */
export const messages = {
  courseMissing: { title: "Course not found", tone: "destructive" },
  notEnrolled: {
    title: "Not enrolled",
    description: "Please enroll in this course first",
    tone: "destructive",
  },
  loadFailed: { title: "Error loading course", tone: "destructive" },
  completeFailed: {
    title: "Error",
    description: "Failed to mark lesson as complete",
    tone: "destructive",
  },
  completed: { title: "Lesson completed!", tone: "success" },
  moduleCompleted: {
    title: "🎉 Module Complete!",
    description: "You'll receive a personalized email in about an hour",
    tone: "success",
  },
  tooLong:
    "What you wrote is longer than one lesson can keep (two million characters). Nothing is lost: it is still in the boxes. Please shorten it, or copy part of it to a safe place.",
  locked: "This lesson is not open yet.",
  signedOut:
    "You have been signed out. What you wrote is still here. Sign in again in a new tab, then come back to this one and press the button once more.",
} as const;

export type Lesson = {
  id: string;
  slug: string;
  title: string;
  dripDay: number;
  isLocked: boolean;
  isCompleted: boolean;
};
export type Module<L = Lesson> = { id: string; title: string; lessons: L[] };
