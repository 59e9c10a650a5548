import { wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import {
  findCourseAccess,
  getOutline,
  requireOpenLesson,
} from "~/features/enrollments/access.server.ts";
import { lessonKey, lessonsInOrder, neighbours } from "~/features/enrollments/lesson-order.ts";
import {
  type JournalFormError,
  journalFormError,
  type SentJournal,
} from "~/features/journal/answers-form.server.ts";
import {
  discardSentDrafts,
  isDrafted,
  listDrafts,
  openDraft,
  requireStorage,
  saveDraft,
  writeDraft,
} from "~/features/journal/drafts.server.ts";
import { openerWith, progressPlace, sealAnswers } from "~/features/journal/encryption.server.ts";
import { journalPath } from "~/features/journal/messages.ts";
import { givenAnswers, journalText } from "~/features/journal/rules.ts";
import { type Answer, answers as answersSchema } from "~/features/journal/schema.ts";
import { moduleCompletedEmail } from "~/features/lesson-emails/jobs.server.ts";
import { sealOf } from "~/platform/crypto/person-key.ts";
import type { Seal } from "~/platform/crypto/seal.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import { completionMessages } from "./messages.ts";

// The email about a completed module is promised in about an hour (spec 9).
const moduleMailDelayMs = 3600_000;

type Completing = {
  userId: string;
  lessonId: string;
  answers: Answer[];
  /** The drafts that the answers were typed in or restored from; being sent, they are emptied. */
  drafts: SeenDraft[];
};

/** Completes a lesson and saves its journal (spec 4, Lesson). Idempotent: the first answers
 * stand, and different text that is sent later is saved as a draft. Completing the last lesson of a
 * module schedules the email about it. @returns whether it is the last lesson of its module, and
 * whether that email is on its way. @throws {Refused} not_found, not_enrolled, locked or no_room */
export function completeLesson(
  services: Services,
  { userId, lessonId, answers, drafts }: Completing,
): Promise<{ moduleCompleted: boolean; emailFollows: boolean }> {
  const { db, clock } = services;
  const now = clock.now();
  const given = givenAnswers(answers);
  const write = async (trx: Query) => {
    const { moduleId } = await requireOpenLesson(trx, { userId, lessonId, now });
    const seal = given.length > 0 ? await sealOf(services, userId, trx) : null;
    const moduleCompleted = (await lastLessonOf(trx, moduleId)) === lessonId;
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto("progress")
      .values({
        userId,
        lessonId,
        journalAnswer: seal && sealAnswers(seal, progressPlace(lessonId), given),
        createdAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (inserted && moduleCompleted) await recordModule(trx, { userId, moduleId, now });
    const copies = seal ? await listCopies(services, trx, { userId, lessonId, given, seal }) : [];
    await discardSentDrafts(trx, { userId, lessonId, drafts: [...drafts, ...copies] }, now);
    if (seal && !inserted && !(await isSaved(services, trx, { userId, lessonId, given, seal }))) {
      const draft = { userId, lessonId, draftId: newId(), revision: 1, answers: given };
      await writeDraft(trx, draft, seal, now);
    }
    const emailFollows = moduleCompleted && (await doesEmailFollow(trx, { userId, moduleId, now }));
    return { moduleCompleted, emailFollows };
  };
  return db.transaction((trx) => requireStorage(trx, userId, () => write(trx)));
}

async function lastLessonOf(trx: Query, moduleId: string): Promise<string | undefined> {
  const last = await trx
    .selectFrom("lessons")
    .select("id")
    .where("moduleId", "=", moduleId)
    .where("deletedAt", "is", null)
    .orderBy("orderNum", "desc")
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
  return last?.id;
}

async function recordModule(
  trx: Query,
  { userId, moduleId, now }: { userId: string; moduleId: string; now: Date },
) {
  const { numInsertedOrUpdatedRows: inserted } = await trx
    .insertInto("moduleCompletionEmails")
    .values({ userId, moduleId, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (!inserted) return;
  const dueAt = new Date(now.getTime() + moduleMailDelayMs);
  await enqueue(trx, moduleCompletedEmail, { userId, moduleId }, { now, dueAt, to: { userId } });
}

// False when the module was completed long ago, or the student has switched such emails off.
async function doesEmailFollow(
  trx: Query,
  { userId, moduleId, now }: { userId: string; moduleId: string; now: Date },
): Promise<boolean> {
  const recorded = await trx
    .selectFrom("moduleCompletionEmails")
    .select("createdAt")
    .where("userId", "=", userId)
    .where("moduleId", "=", moduleId)
    .where("createdAt", ">", new Date(now.getTime() - moduleMailDelayMs))
    .executeTakeFirst();
  return recorded !== undefined && wantsEmail(trx, { userId, kind: "module-completed" });
}

type Given = { userId: string; lessonId: string; given: Answer[]; seal: Seal };

// The user's other drafts of the lesson with the same text.
async function listCopies(
  services: Services,
  trx: Query,
  { userId, lessonId, given, seal }: Given,
): Promise<SeenDraft[]> {
  const open = openerWith(services, userId, seal);
  const drafts = await listDrafts(trx, userId, lessonId);
  return drafts
    .map((draft) => openDraft(open, lessonId, draft))
    .filter(
      ({ answers, unreadable }) => !unreadable && journalText(answers) === journalText(given),
    );
}

async function isSaved(services: Services, trx: Query, { userId, lessonId, given, seal }: Given) {
  const { journalAnswer } = await trx
    .selectFrom("progress")
    .select("journalAnswer")
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirstOrThrow();
  const saved = openerWith(services, userId, seal)(progressPlace(lessonId), journalAnswer);
  return saved !== null && journalText(saved) === journalText(given);
}

type Study = { userId: string; slug: string; journal: SentJournal };
// Not completed, but the answers are saved; `savedAt` is the page that says so.
type SavedAsDraft = { savedAt: string; toast: Toast };
type Completed = { moduleCompleted: boolean; emailFollows: boolean; goOnKey: string | null };

/** 'Mark as Complete' and 'Complete Module' (spec 4, Lesson): completes, and returns where to go
 * on. Errors are returned as a problem with the answers in it, never thrown; except for a journal
 * that {@link refuseJournal} refuses, which is checked before. */
export async function completeFromForm(
  services: Services,
  { userId, slug, journal }: Study,
): Promise<Completed | SavedAsDraft | { problem: JournalFormError; status: number }> {
  const answers = answersSchema.parse(journal.answers);
  try {
    const sent = { ...journal, userId, answers };
    const completed = await completeLesson(services, sent);
    return { ...completed, goOnKey: await goOnKey(services, userId, slug, journal.lessonId) };
  } catch (error) {
    if (error instanceof Refused) {
      if (await saveAsDraft(services, { userId, journal }))
        return savedAt(error, { slug, journal });
      return { problem: journalFormError(journal, error.message), status: statusOf[error.code] };
    }
    services.log.error({ err: error }, "a lesson could not be completed");
    return { problem: journalFormError(journal, completionMessages.failed), status: 500 };
  }
}

function savedAt(
  { code }: Refused,
  { slug, journal }: Pick<Study, "slug" | "journal">,
): SavedAsDraft {
  if (code === "not_enrolled")
    return { savedAt: `/courses/${slug}`, toast: completionMessages.closedMeanwhile };
  const { lessonId } = journal;
  return {
    savedAt: `${journalPath}?lesson=${lessonId}#lesson-${lessonId}`,
    toast: completionMessages.lessonClosed,
  };
}

// Saves the answers as a draft when the course or the lesson was closed while the student was
// writing. @returns false when the student was never enrolled or wrote nothing
async function saveAsDraft(
  services: Services,
  { userId, journal }: Pick<Study, "userId" | "journal">,
): Promise<boolean> {
  const { lessonId, answers } = journal;
  if (givenAnswers(answers).length === 0) return false;
  // The page's own draft comes first in its form, then the drafts that were restored into it.
  const [first, ...absorbed] = journal.drafts;
  const own = first ? [{ draftId: first.id, revision: first.revision }] : [];
  const words = { userId, lessonId, answers, absorbed };
  try {
    // Under the page's own draft id, unless that draft has other text: a form may be sent twice.
    for (const name of own) {
      await saveDraft(services, { ...words, ...name });
      if (await isDrafted(services, { userId, lessonId, answers })) return true;
    }
    const name = { draftId: newId(), revision: 1 };
    return await saveDraft(services, { ...words, ...name });
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

// The lesson is completed by now: an error here only affects where to go on.
async function goOnKey(services: Services, userId: string, slug: string, lessonId: string) {
  try {
    return await nextOrSame(services, userId, slug, lessonId);
  } catch (error) {
    services.log.error({ err: error }, "the way on from a lesson could not be found");
    return null;
  }
}

async function nextOrSame(services: Services, userId: string, slug: string, lessonId: string) {
  const course = await findCourseAccess(services, { userId, slug });
  if (!course?.enrolledAt) return null;
  const { id: productId, enrolledAt } = course;
  const outline = await getOutline(services, { userId, productId, enrolledAt });
  const { next } = neighbours(outline, lessonId);
  const same = lessonsInOrder(outline).find(({ id }) => id === lessonId);
  const shown = next && !next.isLocked ? next : same;
  return shown ? lessonKey(outline, shown) : null;
}
