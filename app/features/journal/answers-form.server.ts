import { readSeenDraft } from "~/features/drafts/rules.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { statusOf } from "~/platform/utils/errors.ts";
import { saveCost, saveRate } from "./drafts.server.ts";
import { journalTooLong, storageMessages } from "./messages.ts";
import { type Answer, answers as answersSchema } from "./schema.ts";

/** Why a lesson was not completed. The words that were sent go back with it. */
export type JournalFormError = { message: string; texts: string[]; signedOut: boolean };

/** What the boxes of a lesson held when the form was sent. */
export type SentJournal = {
  /** Whose page the form stood in. */
  userId: string;
  lessonId: string;
  drafts: SeenDraft[];
  answers: Answer[];
};

/** Reads the player's form: each box comes with the question that stood above it. */
export function readJournal(form: FormData): SentJournal {
  const text = (value: FormDataEntryValue | null | undefined) =>
    typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  const questions = form.getAll("question");
  return {
    userId: text(form.get("userId")),
    lessonId: text(form.get("lessonId")),
    drafts: form
      .getAll("draft")
      .map(readSeenDraft)
      .filter((draft) => draft !== null)
      .slice(0, 20),
    answers: form
      .getAll("answer")
      .map((answer, index) => ({ question: text(questions[index]), answer: text(answer) })),
  };
}

/**
 * The refusal of a journal that is too long, or of one more within a short time; null for any other.
 * Nothing of it is shown again: scripts leave the boxes as they are, and the browser's back button
 * brings back what was typed.
 */
export function refuseJournal(
  { answers }: SentJournal,
  userId: string,
): { problem: JournalFormError; journal: null; status: number } | null {
  const refused = (message: string, status: number) => ({
    problem: { message, texts: [], signedOut: false },
    journal: null,
    status,
  });
  if (!answersSchema.safeParse(answers).success) return refused(journalTooLong, statusOf.too_large);
  if (saveRate.wait(userId, saveCost(answers)) > 0)
    return refused(storageMessages.tooFast, statusOf.rate_limited);
  return null;
}

/** The same words, to stand in the boxes again. */
export function journalFormError(
  journal: SentJournal,
  message: string,
  signedOut = false,
): JournalFormError {
  return { message, signedOut, texts: journal.answers.map(({ answer }) => answer) };
}
