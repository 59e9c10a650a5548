import { readSeenDrafts } from "~/features/drafts/rules.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import { statusOf } from "~/platform/utils/errors.ts";
import { saveCost, saveRate } from "./drafts.server.ts";
import { journalTooLong, signedOutWhileWriting, storageMessages } from "./messages.ts";
import { type Answer, answers as answersSchema } from "./schema.ts";

export type JournalFormError = {
  message: string;
  texts: string[];
  signedOut: boolean;
  /** Those whose text is in `texts`. */
  drafts?: SeenDraft[];
};

export type SentJournal = {
  /** The user of the page with the form. */
  userId: string;
  lessonId: string;
  /** The page's own draft, then the older ones whose text is in the form. */
  drafts: SeenDraft[];
  answers: Answer[];
};

/** A form that was refused; `journal` is null where it does not need to be shown again. */
export type RefusedJournal = {
  problem: JournalFormError;
  journal: SentJournal | null;
  status: number;
};

/** Reads the form of a lesson's answers, each with its question as it was shown. Refuses it for
 * anyone but the user of its page. Answers that are too long or come too fast are not sent back:
 * scripts leave the boxes as they are, and the browser's back button restores the text. */
export function receiveJournal(
  form: FormData,
  viewer: CurrentUser | null,
): { refused: RefusedJournal } | { journal: SentJournal; viewer: CurrentUser } {
  const text = (value: FormDataEntryValue | null | undefined) =>
    typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  const questions = form.getAll("question");
  const userId = text(form.get("userId"));
  const journal: SentJournal = {
    userId,
    lessonId: text(form.get("lessonId")),
    drafts: readSeenDrafts(form.get("drafts")),
    answers: form
      .getAll("answer")
      .map((answer, index) => ({ question: text(questions[index]), answer: text(answer) })),
  };
  // Another user may have signed in since in another tab: this text is not theirs.
  if (!viewer || (userId && userId !== viewer.id)) {
    const problem = journalFormError(journal, signedOutWhileWriting, true);
    return { refused: { problem, journal, status: statusOf.unauthenticated } };
  }
  const refuse = (message: string, status: number) => ({
    refused: { problem: { message, texts: [], signedOut: false }, journal: null, status },
  });
  if (!answersSchema.safeParse(journal.answers).success)
    return refuse(journalTooLong, statusOf.too_large);
  if (saveRate.wait(viewer.id, saveCost(journal.answers)) > 0)
    return refuse(storageMessages.tooFast, statusOf.rate_limited);
  return { journal, viewer };
}

export function journalFormError(
  journal: SentJournal,
  message: string,
  signedOut = false,
): JournalFormError {
  const texts = journal.answers.map(({ answer }) => answer);
  return { message, signedOut, texts, drafts: journal.drafts };
}
