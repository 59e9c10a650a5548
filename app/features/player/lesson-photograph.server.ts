import {
  type JournalFormError,
  journalFormError,
  type SentJournal,
} from "~/features/journal/answers-form.server.ts";
import { storageMessages } from "~/features/journal/messages.ts";
import { photographMessages } from "~/features/journal/photograph-messages.ts";
import { changePhotographs, sentPhotograph } from "~/features/journal/photographs-form.server.ts";
import { givenAnswers } from "~/features/journal/rules.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import { saveAsDraft } from "./complete-lesson.server.ts";

type Outcome =
  /** `isAll`: nothing else was asked for; answers beside it are a draft. */
  { isAll: boolean; toast: Toast } | { problem: JournalFormError; status: number };

/** The photograph in a form of a lesson's answers, where no script has sent it by itself. A button
 * that adds or deletes one saves the answers as a draft, which the page brings back; the button that
 * completes the lesson takes a chosen one along. Refused, the answers come back in the form, or the
 * reason as a toast where there are none. @returns null where there is nothing about photographs */
export async function photographFromForm(
  services: Services,
  { userId, journal, form }: { userId: string; journal: SentJournal; form: FormData },
): Promise<Outcome | null> {
  const asked = sentPhotograph(form);
  if (!asked) return null;
  const { lessonId, answers, drafts } = journal;
  const hasAnswers = givenAnswers(answers).length > 0;
  const refuse = (message: string, status: number): Outcome =>
    answers.length > 0
      ? { problem: journalFormError(journal, message), status }
      : { isAll: true, toast: { title: message, tone: "destructive" } };
  try {
    if (asked.isAll && hasAnswers) {
      const isSaved = await saveAsDraft(services, { userId, lessonId, answers, drafts });
      if (!isSaved) return refuse(storageMessages.full, statusOf.no_room);
    }
    const toast = await changePhotographs(services, { userId, lessonId, asked });
    return { isAll: asked.isAll, toast };
  } catch (error) {
    if (error instanceof Refused) return refuse(error.message, statusOf[error.code]);
    services.log.error({ err: error }, "a photograph could not be saved or deleted");
    return refuse(photographMessages.failed, 500);
  }
}
