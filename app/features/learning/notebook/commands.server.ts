import { Refused, statusOf } from "~/platform/http/errors.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/services.ts";
import { changeAnswer, deleteFromJournal, keepDraft } from "../journal/commands.server.ts";
import { readTarget, seenDraft } from "../journal/rules.ts";
import { asNewAnswer, journalTexts } from "../journal/texts.ts";
import { journalPath } from "../notebook/texts.ts";
import { type Problem, problem, type SentJournal } from "../player/commands.server.ts";
import { answers as answersSchema } from "../schema.ts";
import { outcomes } from "../texts.ts";

/** The version that stands there now, when it is not the one that the writing started from. */
export type OtherVersion = { text: string; version: string } | { text: null; version: null };

type Outcome =
  | { to: string; toast: Toast | null }
  | { problem: Problem; other: OtherVersion | null; status: number };

type Saving = { userId: string; url: URL; journal: SentJournal; isAdded: boolean };

/**
 * Saves a changed answer from its form; the address names which one, and the version that the
 * writing started from. Whatever goes wrong comes back with the words in it.
 */
export async function saveFromForm(
  services: Services,
  { userId, url, journal, isAdded }: Saving,
): Promise<Outcome> {
  const key = url.searchParams.get("edit");
  const target = readTarget(key);
  const refused = (message: string, status: number, other: OtherVersion | null = null) => ({
    problem: problem(journal, message),
    other,
    status,
  });
  const [sent] = answersSchema.parse(journal.answers);
  if (target?.kind !== "answer" || !sent) return refused(journalTexts.missing, statusOf.not_found);
  // To empty an answer is to delete it, and that is asked first.
  if (sent.answer.trim() === "") return { to: `${journalPath}?delete=${key}`, toast: null };
  const version = url.searchParams.get("version") ?? "";
  const { lessonId, at } = target;
  try {
    const changed = await changeAnswer(services, {
      userId,
      lessonId,
      at,
      version: version === asNewAnswer ? null : version,
      question: sent.question,
      text: sent.answer,
      isAdded,
      drafts: journal.drafts,
    });
    switch (changed.state) {
      case "saved":
        return {
          to: `${journalPath}?lesson=${lessonId}#lesson-${lessonId}`,
          toast: journalTexts.saved,
        };
      case "too_long":
        return refused(outcomes.tooLong, statusOf.too_large);
      case "missing":
        return refused(journalTexts.missing, statusOf.not_found);
      default: {
        const { other } = changed;
        const now = other
          ? { text: other.answer, version: other.version }
          : { text: null, version: null };
        return refused(other ? journalTexts.changed : journalTexts.deletedMeanwhile, 409, now);
      }
    }
  } catch (error) {
    if (error instanceof Refused) return refused(error.message, statusOf[error.code]);
    services.log.error({ err: error }, "an answer could not be changed");
    return refused(journalTexts.saveFailed, 500);
  }
}

/** Keeps a draft's words as answers, from the form that stands under them. */
export async function keepFromForm(
  services: Services,
  { userId, form }: { userId: string; form: FormData },
): Promise<{ to: string; toast: Toast }> {
  const key = String(form.get("target"));
  const target = readTarget(key);
  if (target?.kind !== "draft") return { to: journalPath, toast: journalTexts.gone };
  const draft = seenDraft(target.draftId, String(form.get("version")));
  const { state, lessonId } = await keepDraft(services, { userId, draft });
  const toasts = {
    saved: journalTexts.saved,
    gone: journalTexts.gone,
    changed: journalTexts.draftChanged,
    too_long: journalTexts.tooLongTogether,
    unreadable: journalTexts.unreadable,
  };
  const to = lessonId ? `${journalPath}?lesson=${lessonId}#lesson-${lessonId}` : journalPath;
  return { to, toast: toasts[state] };
}

/** Deletes what she was asked about; the question comes again if there is more by now. */
export async function deleteFromForm(
  services: Services,
  { userId, form }: { userId: string; form: FormData },
): Promise<{ to: string; toast: Toast }> {
  const key = String(form.get("target"));
  const target = readTarget(key);
  if (!target) return { to: journalPath, toast: journalTexts.gone };
  const version = String(form.get("version"));
  const outcome = await deleteFromJournal(services, { userId, target, version });
  const lesson = "lessonId" in target ? `?lesson=${target.lessonId}` : "";
  if (outcome === "changed")
    return { to: `${journalPath}?delete=${key}`, toast: journalTexts.changedMeanwhile };
  if (outcome === "gone") return { to: journalPath + lesson, toast: journalTexts.gone };
  const toasts = { draft: journalTexts.draftDeleted, all: journalTexts.allDeleted };
  const toast = target.kind === "draft" || target.kind === "all" ? toasts[target.kind] : null;
  return { to: journalPath + lesson, toast: toast ?? journalTexts.deleted };
}
