import { discardDrafts } from "~/features/drafts/drafts.server.ts";
import { readSeenDraft } from "~/features/drafts/rules.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { sealOf } from "~/platform/crypto/person-key.ts";
import { CannotOpen } from "~/platform/crypto/seal.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import {
  type JournalFormError,
  journalFormError,
  type SentJournal,
} from "./answers-form.server.ts";
import { type DraftDeletion, deleteDraft, findDraft, requireStorage } from "./drafts.server.ts";
import { progressPlace, sealAnswers } from "./encryption.server.ts";
import {
  findEntry,
  findOutline,
  journalVersion,
  savedAnswers,
  stampOfEntry,
} from "./entries.server.ts";
import { asNewAnswer, journalMessages } from "./journal-page-messages.ts";
import { journalPath, journalTooLong } from "./messages.ts";
import { photographMessages } from "./photograph-messages.ts";
import {
  deletePhotograph,
  deletePhotographs,
  finishPhotographDeletions,
} from "./photographs.server.ts";
import { mergeTexts } from "./place-answers.ts";
import { findAnswer, givenAnswers, mergeAnswers, readTarget } from "./rules.ts";
import {
  type Answer,
  answers,
  lengthOf,
  maxAnswerLength,
  maxJournalLength,
  type Target,
} from "./schema.ts";

const tries = 5;

type OfEntry = {
  userId: string;
  lessonId: string;
  /** The drafts that hold the text: they are discarded with the save. */
  drafts: SeenDraft[];
};

/** Replaces the answers of a completed lesson by what `change` makes of them, again if they were
 * changed meanwhile. @returns false where `change` returns null: then nothing is written
 * @throws {Refused} not_found, too_large, no_room, or conflict if they always were
 * @throws {CannotOpen} where the answers cannot be decrypted: they are not overwritten */
async function updateAnswers(
  services: Services,
  of: OfEntry,
  change: (answers: Answer[]) => Answer[] | null,
): Promise<boolean> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const entry = await findEntry(services, of);
    if (!entry) throw new Refused("not_found", journalMessages.missing);
    if (entry.unreadable) throw new CannotOpen(progressPlace(of.lessonId));
    const changed = change(entry.answers);
    if (!changed) return false;
    const isTooLong = changed.some(({ answer }) => answer.length > maxAnswerLength);
    if (isTooLong || lengthOf(changed) > maxJournalLength)
      throw new Refused("too_large", journalTooLong);
    if (await replaceAnswers(services, of, entry.asRead, changed)) return true;
  }
  throw new Refused("conflict", journalMessages.saveFailed);
}

/** @returns false if the answers are not `asRead` any more: then nothing was written */
async function replaceAnswers(
  services: Services,
  of: OfEntry,
  asRead: string | null,
  answers: Answer[],
): Promise<boolean> {
  const { userId, lessonId } = of;
  const { db, clock } = services;
  const given = givenAnswers(answers);
  const now = clock.now();
  const write = async (trx: Query) => {
    const seal = given.length > 0 ? await sealOf(services, userId, trx) : null;
    if (asRead !== null || seal) {
      const { numUpdatedRows } = await trx
        .updateTable("progress")
        .set({ journalAnswer: seal && sealAnswers(seal, progressPlace(lessonId), given) })
        .where("userId", "=", userId)
        .where("lessonId", "=", lessonId)
        .where("journalAnswer", asRead === null ? "is" : "=", asRead)
        .executeTakeFirst();
      if (!numUpdatedRows) return false;
    }
    await discardDrafts(trx, { kind: "journal", userId, lessonId }, of.drafts, now);
    return true;
  };
  return db.transaction((trx) => requireStorage(trx, userId, () => write(trx)));
}

/** The version of an answer that was made after the edit started: its text is null, and its version
 * {@link asNewAnswer}, where the answer was deleted. */
export type AnswerConflict = { text: string | null; version: string };

type Saving = { userId: string; url: URL; journal: SentJournal; isAdded: boolean };

/** Saves a changed answer from its form, unless it has changed since the edit started. The address
 * names the answer and the version that the edit started from. Errors come back with the text.
 * @param isAdded the text is appended to the present answer instead of replacing it */
export async function saveAnswerForm(
  services: Services,
  { userId, url, journal, isAdded }: Saving,
): Promise<
  | { to: string; toast: Toast | null }
  | { problem: JournalFormError; other: AnswerConflict | null; status: number }
> {
  const key = url.searchParams.get("edit");
  const version = url.searchParams.get("version") ?? "";
  const target = readTarget(key);
  const refused = (message: string, status: number, other: AnswerConflict | null = null) => ({
    problem: journalFormError(journal, message),
    other,
    status,
  });
  const [sent] = answers.parse(journal.answers);
  if (target?.kind !== "answer" || !sent)
    return refused(journalMessages.missing, statusOf.not_found);
  // Emptying an answer deletes it, which needs a confirmation.
  if (sent.answer.trim() === "") return { to: `${journalPath}?delete=${key}`, toast: null };
  const { lessonId, at } = target;
  let other: AnswerConflict = { text: null, version: asNewAnswer };
  try {
    const of = { userId, lessonId, drafts: journal.drafts };
    const isSaved = await updateAnswers(services, of, (stored) => {
      if (version === asNewAnswer) return [...stored, sent];
      const now = savedAnswers(stored);
      const found = findAnswer(now, { at, version });
      const text = isAdded && found ? mergeTexts(found.answer, sent.answer) : sent.answer;
      if (found) return stored.with(found.at, { question: found.question, answer: text });
      const asked = now.filter(({ question }) => question === sent.question);
      const present = asked.find((answer) => answer.at === at) ?? asked[0];
      // The same text: the form was sent twice.
      if (present?.at === at && present.answer === text) return stored;
      if (present) other = { text: present.answer, version: present.version };
      return null;
    });
    if (isSaved) return { to: lessonPath(lessonId), toast: journalMessages.saved };
    const { changed, deletedMeanwhile } = journalMessages;
    return refused(other.text === null ? deletedMeanwhile : changed, statusOf.conflict, other);
  } catch (error) {
    if (error instanceof Refused) return refused(error.message, statusOf[error.code]);
    services.log.error({ err: error }, "an answer could not be changed");
    return refused(journalMessages.saveFailed, 500);
  }
}

const lessonPath = (lessonId: string) => `${journalPath}?lesson=${lessonId}#lesson-${lessonId}`;

type SentTarget = { userId: string; form: FormData };
type Done = { to: string; toast: Toast };

/** Appends a draft to the answers of its completed lesson, from the draft's form. */
export async function saveDraftAsAnswers(
  services: Services,
  { userId, form }: SentTarget,
): Promise<Done> {
  const target = readTarget(String(form.get("target")));
  const seen =
    target?.kind === "draft" && readSeenDraft(`${target.draftId}:${form.get("version")}`);
  const draft = seen && (await findDraft(services, userId, seen.id));
  if (!draft) return { to: journalPath, toast: journalMessages.gone };
  const { lessonId } = draft;
  const done = (toast: Toast) => ({ to: lessonPath(lessonId), toast });
  if (draft.unreadable) return done(journalMessages.unreadable);
  if (draft.revision !== seen.revision) return done(journalMessages.draftChanged);
  try {
    await updateAnswers(services, { userId, lessonId, drafts: [seen] }, (stored) =>
      mergeAnswers(stored, givenAnswers(draft.answers)),
    );
    return done(journalMessages.saved);
  } catch (error) {
    if (error instanceof CannotOpen) return done(journalMessages.unreadable);
    if (!(error instanceof Refused) || error.code === "no_room") throw error;
    if (error.code === "too_large") return done(journalMessages.tooLongTogether);
    if (error.code === "conflict") return done(journalMessages.draftChanged);
    return { to: journalPath, toast: journalMessages.gone };
  }
}

/** Deletes what the student was asked about, from the form of that question; lessons stay completed.
 * Asks again if something has changed since. */
export async function deleteFromForm(
  services: Services,
  { userId, form }: SentTarget,
): Promise<Done> {
  const key = String(form.get("target"));
  const target = readTarget(key);
  if (!target) return { to: journalPath, toast: journalMessages.gone };
  const version = String(form.get("version"));
  const outcome = await deleteTarget(services, { userId, target, version });
  if (outcome === "changed")
    return { to: `${journalPath}?delete=${key}`, toast: journalMessages.changedMeanwhile };
  const to = journalPath + ("lessonId" in target ? `?lesson=${target.lessonId}` : "");
  if (outcome === "gone") return { to, toast: journalMessages.gone };
  const { deleted, draftDeleted: draft, allDeleted: all } = journalMessages;
  const photograph = photographMessages.deleted;
  const toasts = { answer: deleted, lesson: deleted, draft, photograph, all };
  return { to, toast: toasts[target.kind] };
}

async function deleteTarget(
  services: Services,
  { userId, target, version }: { userId: string; target: Target; version: string },
): Promise<DraftDeletion> {
  if (target.kind === "draft") {
    const draft = readSeenDraft(`${target.draftId}:${version}`);
    return draft ? deleteDraft(services, { userId, draft }) : "gone";
  }
  if (target.kind === "answer") return deleteAnswer(services, { userId, version, ...target });
  if (target.kind === "photograph")
    return (await deletePhotograph(services, { userId, id: target.photographId }))
      ? "deleted"
      : "gone";
  const now = services.clock.now();
  let photographs: string[] = [];
  const outcome = await services.db.transaction<DraftDeletion>(async (trx) => {
    const courses = await findOutline(trx, userId);
    const all = courses.flatMap(({ lessons }) => lessons);
    const lessons = target.kind === "all" ? all : all.filter(({ id }) => id === target.lessonId);
    if (lessons.length === 0) return "gone";
    const present = target.kind === "all" ? journalVersion(courses) : lessons[0]?.version;
    if (present !== version) return "changed";
    for (const { id: lessonId, stamp, drafts } of lessons) {
      await trx
        .updateTable("progress")
        .set({ journalAnswer: null })
        .where("userId", "=", userId)
        .where("lessonId", "=", lessonId)
        .where(stampOfEntry, stamp === null ? "is" : "=", stamp)
        .execute();
      await discardDrafts(trx, { kind: "journal", userId, lessonId }, drafts, now);
    }
    photographs = lessons.flatMap((lesson) => lesson.photographs.map(({ id }) => id));
    await deletePhotographs(trx, { userId, ids: photographs }, now);
    return "deleted";
  });
  if (outcome === "deleted") await finishPhotographDeletions(services, photographs);
  return outcome;
}

async function deleteAnswer(
  services: Services,
  {
    userId,
    lessonId,
    at,
    version,
  }: Record<"userId" | "lessonId" | "version", string> & {
    at: number;
  },
): Promise<DraftDeletion> {
  let outcome: DraftDeletion = "gone";
  try {
    const isDeleted = await updateAnswers(services, { userId, lessonId, drafts: [] }, (stored) => {
      const now = savedAnswers(stored);
      const found = findAnswer(now, { at, version });
      if (!found) outcome = now.some((answer) => answer.at === at) ? "changed" : "gone";
      return found && stored.toSpliced(found.at, 1);
    });
    return isDeleted ? "deleted" : outcome;
  } catch (error) {
    if (error instanceof Refused && error.code === "conflict") return "changed";
    if (error instanceof Refused || error instanceof CannotOpen) return "gone";
    throw error;
  }
}
