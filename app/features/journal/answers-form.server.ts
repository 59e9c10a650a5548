import { readSeenDraft } from "~/features/drafts/rules.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { statusOf } from "~/platform/utils/errors.ts";
import { saveCost, saveRate } from "./drafts.server.ts";
import { journalTooLong, storageMessages } from "./messages.ts";
import { type Answer, answers as answersSchema } from "./schema.ts";

/** Why a lesson was not completed, with the answers that were sent. */
export type JournalFormError = { message: string; texts: string[]; signedOut: boolean };

export type SentJournal = {
  /** The user of the page with the form. */
  userId: string;
  lessonId: string;
  drafts: SeenDraft[];
  answers: Answer[];
};

/** Reads the player's form. Each answer comes with the question as it was shown. */
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

/** Refuses answers that are too long or come too fast; null for all others. They are not sent back:
 * scripts leave the boxes as they are, and the browser's back button restores the text. */
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

export function journalFormError(
  journal: SentJournal,
  message: string,
  signedOut = false,
): JournalFormError {
  return { message, signedOut, texts: journal.answers.map(({ answer }) => answer) };
}
