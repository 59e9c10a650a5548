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
import {
  type DraftDeletion,
  deleteDraft,
  discardSentDrafts,
  findDraft,
  requireStorage,
} from "./drafts.server.ts";
import { progressPlace, sealAnswers } from "./encryption.server.ts";
import {
  findEntry,
  findOutline,
  journalVersion,
  type StoredEntry,
  savedAnswers,
  stampOfEntry,
} from "./entries.server.ts";
import { asNewAnswer, journalMessages } from "./journal-page-messages.ts";
import { journalPath, journalTooLong } from "./messages.ts";
import { mergeTexts } from "./place-answers.ts";
import { findAnswer, givenAnswers, mergeAnswers, readTarget, seenDraft } from "./rules.ts";
import {
  type Answer,
  answers,
  lengthOf,
  maxAnswerLength,
  maxJournalLength,
  type SavedAnswer,
  type Target,
} from "./schema.ts";

const tries = 5;

type Changing = {
  userId: string;
  lessonId: string;
  at: number;
  /** The version that the edit started from; null to add the answer as a new one. */
  version: string | null;
  question: string;
  text: string;
  /** The text is appended to the present answer instead of replacing it. */
  isAdded: boolean;
  /** The drafts that hold the text: they are discarded with the save. */
  drafts: SeenDraft[];
};

/** `other` is the present answer, null where it was deleted. */
type Changed =
  | { state: "saved" | "missing" | "too_long" }
  | { state: "changed"; other: SavedAnswer | null };

/** Changes one answer of a completed lesson, unless it has changed since the edit started. 'missing'
 * where the student has not completed the lesson.
 * @throws {CannotOpen} where the answers cannot be decrypted: they are not overwritten */
export async function changeAnswer(services: Services, asked: Changing): Promise<Changed> {
  for (let attempt = 1; ; attempt++) {
    const entry = await findEntry(services, asked);
    if (!entry) return { state: "missing" };
    if (entry.unreadable) throw new CannotOpen(progressPlace(asked.lessonId));
    const made = withChange(entry.answers, asked);
    if ("state" in made) return made;
    if (areTooLong(made.answers)) return { state: "too_long" };
    if (await replaceAnswers(services, asked, entry, made.answers)) return { state: "saved" };
    if (attempt === tries) throw new Error("an answer could not be changed: others always are");
  }
}

function withChange(answers: Answer[], asked: Changing): Changed | { answers: Answer[] } {
  const { at, version, question, text, isAdded } = asked;
  const now = savedAnswers(answers);
  if (version === null) return { answers: [...answers, { question, answer: text }] };
  const found = findAnswer(now, { at, version });
  if (!found) {
    const there = now.find((answer) => answer.at === at && answer.question === question);
    // The same text: the form was sent twice.
    if (there?.answer === text) return { answers };
    return {
      state: "changed",
      other: there ?? now.find((answer) => answer.question === question) ?? null,
    };
  }
  const answer = isAdded ? mergeTexts(found.answer, text) : text;
  return { answers: answers.with(found.at, { question: found.question, answer }) };
}

const areTooLong = (answers: Answer[]) =>
  lengthOf(answers) > maxJournalLength ||
  answers.some(({ answer }) => answer.length > maxAnswerLength);

/** Appends a draft to the answers of its completed lesson. 'changed' where the draft has changed. */
export async function saveDraftAsAnswers(
  services: Services,
  { userId, draft }: { userId: string; draft: SeenDraft },
): Promise<{
  state: "saved" | "gone" | "changed" | "too_long" | "unreadable";
  lessonId: string | null;
}> {
  let lessonId: string | null = null;
  for (let attempt = 1; attempt <= tries; attempt++) {
    const found = await findDraft(services, userId, draft.id);
    const entry = found && (await findEntry(services, { userId, lessonId: found.lessonId }));
    if (!found || !entry) return { state: "gone", lessonId };
    lessonId = found.lessonId;
    if (entry.unreadable || found.unreadable) return { state: "unreadable", lessonId };
    if (found.revision !== draft.revision) break;
    const answers = mergeAnswers(entry.answers, givenAnswers(found.answers));
    if (areTooLong(answers)) return { state: "too_long", lessonId };
    const asked = { userId, lessonId, drafts: [draft] };
    if (await replaceAnswers(services, asked, entry, answers)) return { state: "saved", lessonId };
  }
  return { state: "changed", lessonId };
}

/** Deletes what the student was asked about, or nothing if it has changed since ('changed'). Lessons
 * stay completed. */
export async function deleteFromJournal(
  services: Services,
  asked: { userId: string; target: Target; version: string },
): Promise<DraftDeletion> {
  const { userId, target, version } = asked;
  if (target.kind === "draft")
    return deleteDraft(services, { userId, draft: seenDraft(target.draftId, version) });
  if (target.kind === "answer") return deleteAnswer(services, { userId, version, ...target });
  const now = services.clock.now();
  return services.db.transaction(async (trx) => {
    const courses = await findOutline(trx, userId);
    const all = courses.flatMap(({ lessons }) => lessons);
    const lessons = target.kind === "all" ? all : all.filter(({ id }) => id === target.lessonId);
    if (lessons.length === 0) return "gone";
    const present = target.kind === "all" ? journalVersion(courses) : lessons[0]?.version;
    if (present !== version) return "changed";
    for (const { id: lessonId, stamp, drafts } of lessons) {
      await emptyEntry(trx, { userId, lessonId, stamp });
      await discardSentDrafts(trx, { userId, lessonId, drafts }, now);
    }
    return "deleted";
  });
}

/** Deletes the answers of a completed lesson, unless they have changed. */
async function emptyEntry(
  trx: Query,
  { userId, lessonId, stamp }: { userId: string; lessonId: string; stamp: string | null },
): Promise<void> {
  await trx
    .updateTable("progress")
    .set({ journalAnswer: null })
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where(stampOfEntry, stamp === null ? "is" : "=", stamp)
    .execute();
}

async function deleteAnswer(
  services: Services,
  asked: { userId: string; lessonId: string; at: number; version: string },
): Promise<DraftDeletion> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const entry = await findEntry(services, asked);
    const now = savedAnswers(entry?.answers ?? []);
    const found = findAnswer(now, asked);
    if (!entry || !found) return now.some(({ at }) => at === asked.at) ? "changed" : "gone";
    const rest = entry.answers.toSpliced(found.at, 1);
    if (await replaceAnswers(services, { ...asked, drafts: [] }, entry, rest)) return "deleted";
  }
  return "changed";
}

/** Replaces the answers that were read and discards drafts.
 * @returns false if they had changed: then nothing was written @throws {Refused} no_room */
async function replaceAnswers(
  services: Services,
  { userId, lessonId, drafts }: { userId: string; lessonId: string; drafts: SeenDraft[] },
  { asRead }: Pick<StoredEntry, "asRead">,
  answers: Answer[],
): Promise<boolean> {
  const { db, clock } = services;
  const given = givenAnswers(answers);
  const now = clock.now();
  const write = async (trx: Query) => {
    const seal = given.length > 0 ? await sealOf(services, userId, trx) : null;
    if (asRead !== null || given.length > 0) {
      const { numUpdatedRows } = await trx
        .updateTable("progress")
        .set({
          journalAnswer: seal && sealAnswers(seal, progressPlace(lessonId), given),
        })
        .where("userId", "=", userId)
        .where("lessonId", "=", lessonId)
        .where("journalAnswer", asRead === null ? "is" : "=", asRead)
        .executeTakeFirst();
      if (!numUpdatedRows) return false;
    }
    await discardSentDrafts(trx, { userId, lessonId, drafts }, now);
    return true;
  };
  return db.transaction((trx) => requireStorage(trx, userId, () => write(trx)));
}

/** The present version, when it is not the one that the edit started from. */
export type AnswerConflict = { text: string; version: string } | { text: null; version: null };

type Outcome =
  | { to: string; toast: Toast | null }
  | { problem: JournalFormError; other: AnswerConflict | null; status: number };

type Saving = { userId: string; url: URL; journal: SentJournal; isAdded: boolean };

/** Saves a changed answer from its form. The address names the answer and the version that the edit
 * started from. Errors come back with the text. */
export async function saveAnswerForm(
  services: Services,
  { userId, url, journal, isAdded }: Saving,
): Promise<Outcome> {
  const key = url.searchParams.get("edit");
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
          toast: journalMessages.saved,
        };
      case "too_long":
        return refused(journalTooLong, statusOf.too_large);
      case "missing":
        return refused(journalMessages.missing, statusOf.not_found);
      default: {
        const { other } = changed;
        const now = other
          ? { text: other.answer, version: other.version }
          : { text: null, version: null };
        return refused(
          other ? journalMessages.changed : journalMessages.deletedMeanwhile,
          409,
          now,
        );
      }
    }
  } catch (error) {
    if (error instanceof Refused) return refused(error.message, statusOf[error.code]);
    services.log.error({ err: error }, "an answer could not be changed");
    return refused(journalMessages.saveFailed, 500);
  }
}

/** {@link saveDraftAsAnswers} from its form. */
export async function submitDraftAsAnswers(
  services: Services,
  { userId, form }: { userId: string; form: FormData },
): Promise<{ to: string; toast: Toast }> {
  const key = String(form.get("target"));
  const target = readTarget(key);
  if (target?.kind !== "draft") return { to: journalPath, toast: journalMessages.gone };
  const draft = seenDraft(target.draftId, String(form.get("version")));
  const { state, lessonId } = await saveDraftAsAnswers(services, { userId, draft });
  const toasts = {
    saved: journalMessages.saved,
    gone: journalMessages.gone,
    changed: journalMessages.draftChanged,
    too_long: journalMessages.tooLongTogether,
    unreadable: journalMessages.unreadable,
  };
  const to = lessonId ? `${journalPath}?lesson=${lessonId}#lesson-${lessonId}` : journalPath;
  return { to, toast: toasts[state] };
}

/** {@link deleteFromJournal} from its form; asks again if there is more by now. */
export async function deleteFromForm(
  services: Services,
  { userId, form }: { userId: string; form: FormData },
): Promise<{ to: string; toast: Toast }> {
  const key = String(form.get("target"));
  const target = readTarget(key);
  if (!target) return { to: journalPath, toast: journalMessages.gone };
  const version = String(form.get("version"));
  const outcome = await deleteFromJournal(services, { userId, target, version });
  const lesson = "lessonId" in target ? `?lesson=${target.lessonId}` : "";
  if (outcome === "changed")
    return { to: `${journalPath}?delete=${key}`, toast: journalMessages.changedMeanwhile };
  if (outcome === "gone") return { to: journalPath + lesson, toast: journalMessages.gone };
  const toasts = { draft: journalMessages.draftDeleted, all: journalMessages.allDeleted };
  const toast = target.kind === "draft" || target.kind === "all" ? toasts[target.kind] : null;
  return { to: journalPath + lesson, toast: toast ?? journalMessages.deleted };
}
