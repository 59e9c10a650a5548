import { wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import { discardDrafts, listDraftRows } from "~/features/drafts/drafts.server.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import {
  findCourseAccess,
  getOutline,
  requireOpenLesson,
} from "~/features/enrollments/access.server.ts";
import { lessonButtons, lessonKeys, lessonsInOrder } from "~/features/enrollments/lesson-order.ts";
import {
  type JournalFormError,
  journalFormError,
  type SentJournal,
} from "~/features/journal/answers-form.server.ts";
import {
  openDraft,
  requireStorage,
  saveDraft,
  writeDraft,
} from "~/features/journal/drafts.server.ts";
import {
  type Opener,
  openerOf,
  openerWith,
  progressPlace,
  sealAnswers,
} from "~/features/journal/encryption.server.ts";
import { journalPath } from "~/features/journal/messages.ts";
import { givenAnswers, journalText } from "~/features/journal/rules.ts";
import { type Answer, answers as answersSchema } from "~/features/journal/schema.ts";
import { moduleCompletedEmail } from "~/features/lesson-emails/jobs.server.ts";
import { sealOf } from "~/platform/crypto/person-key.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import { afterLessonId, completionMessages } from "./messages.ts";

// The email about a completed module is promised in about an hour (spec 9).
const moduleMailDelayMs = 3600_000;

type OfLesson = { userId: string; lessonId: string };
type OfModule = { userId: string; moduleId: string; now: Date };

type Completing = OfLesson & {
  answers: Answer[];
  /** The drafts that the answers were typed in or restored from; being sent, they are emptied. */
  drafts: SeenDraft[];
};

/** Completes a lesson and saves its journal (spec 4, Lesson). Idempotent: the first answers
 * stand, and different text that is sent later is saved as a draft. Completing the last lesson of a
 * module schedules the email about it. @returns whether it is the last lesson of its module, whether
 * that email is on its way, and the id of the draft, if there is one. @throws {Refused} not_found, not_enrolled, locked or no_room */
export function completeLesson(
  services: Services,
  { userId, lessonId, answers, drafts }: Completing,
): Promise<{ moduleCompleted: boolean; emailFollows: boolean; draftId: string | null }> {
  const { db, clock } = services;
  const now = clock.now();
  const given = givenAnswers(answers);
  const write = async (trx: Query) => {
    const { moduleId } = await requireOpenLesson(trx, { userId, lessonId, now });
    const seal = given.length > 0 ? await sealOf(services, userId, trx) : null;
    const open = openerWith(services, userId, seal);
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
    const copies = seal ? await listCopies(trx, open, { userId, lessonId }, given) : [];
    const sent = [...drafts, ...copies];
    await discardDrafts(trx, { kind: "journal", userId, lessonId }, sent, now);
    let draftId: string | null = null;
    if (seal && !inserted && !(await isAnswered(trx, open, { userId, lessonId }, given))) {
      draftId = newId();
      await writeDraft(trx, { userId, lessonId, draftId, revision: 1, answers: given }, seal, now);
    }
    const emailFollows = moduleCompleted && (await doesEmailFollow(trx, { userId, moduleId, now }));
    return { moduleCompleted, emailFollows, draftId };
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

async function recordModule(trx: Query, { userId, moduleId, now }: OfModule): Promise<void> {
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
async function doesEmailFollow(trx: Query, { userId, moduleId, now }: OfModule): Promise<boolean> {
  const recorded = await trx
    .selectFrom("moduleCompletionEmails")
    .select("createdAt")
    .where("userId", "=", userId)
    .where("moduleId", "=", moduleId)
    .where("createdAt", ">", new Date(now.getTime() - moduleMailDelayMs))
    .executeTakeFirst();
  return recorded !== undefined && wantsEmail(trx, { userId, kind: "module-completed" });
}

/** The user's drafts of the lesson with the same text. */
async function listCopies(
  db: Query,
  open: Opener,
  { userId, lessonId }: OfLesson,
  answers: Answer[],
): Promise<SeenDraft[]> {
  const drafts = await listDraftRows(db, { kind: "journal", userId, lessonId });
  return drafts
    .map((draft) => openDraft(open, lessonId, draft))
    .filter((draft) => !draft.unreadable && isSameText(draft.answers, answers));
}

/** Whether the lesson's answers have the same text. */
async function isAnswered(
  trx: Query,
  open: Opener,
  { userId, lessonId }: OfLesson,
  answers: Answer[],
): Promise<boolean> {
  const { journalAnswer } = await trx
    .selectFrom("progress")
    .select("journalAnswer")
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirstOrThrow();
  const saved = open(progressPlace(lessonId), journalAnswer);
  return saved !== null && isSameText(saved, answers);
}

const isSameText = (one: Answer[], other: Answer[]) => journalText(one) === journalText(other);

/** 'Mark as Complete' and 'Complete Module' (spec 4, Lesson): completes, and returns where to go
 * on. Answers to a lesson that was closed meanwhile are saved as a draft. Other errors are returned
 * as a problem with the answers in it, never thrown. */
export async function completeFromForm(
  services: Services,
  { userId, slug, journal }: { userId: string; slug: string; journal: SentJournal },
): Promise<{ to: string; toast: Toast | null } | { problem: JournalFormError; status: number }> {
  const answers = answersSchema.parse(journal.answers);
  const { lessonId, drafts } = journal;
  const { completed, moduleCompleted, moduleCompletedQuietly, failed } = completionMessages;
  try {
    const done = await completeLesson(services, { userId, lessonId, answers, drafts });
    const { draftId } = done;
    const goOn = await queryToContinue(services, { userId, slug, lessonId, draftId });
    if (draftId) return { to: `/courses/${slug}/learn${goOn}`, toast: null };
    const module = done.emailFollows ? moduleCompleted : moduleCompletedQuietly;
    return {
      to: `/courses/${slug}/learn${goOn}`,
      toast: done.moduleCompleted ? module : completed,
    };
  } catch (error) {
    if (error instanceof Refused) {
      if (await saveAsDraft(services, { userId, lessonId, answers, drafts }))
        return savedAsDraft(error, slug, lessonId);
      return { problem: journalFormError(journal, error.message), status: statusOf[error.code] };
    }
    services.log.error({ err: error }, "a lesson could not be completed");
    return { problem: journalFormError(journal, failed), status: 500 };
  }
}

function savedAsDraft({ code }: Refused, slug: string, lessonId: string) {
  if (code === "not_enrolled")
    return { to: `/courses/${slug}`, toast: completionMessages.closedMeanwhile };
  const to = `${journalPath}?lesson=${lessonId}#lesson-${lessonId}`;
  return { to, toast: completionMessages.lessonClosed };
}

/** Saves answers that are not sent, or no longer can be, as a draft. @returns false when there are
 * none, or the student may not write in the lesson, or has no room */
export async function saveAsDraft(
  services: Services,
  { userId, lessonId, answers, drafts }: Completing,
): Promise<boolean> {
  if (givenAnswers(answers).length === 0) return false;
  const { write } = services.db;
  // The page's own draft comes first in its form, then the drafts that were restored into it.
  const [own, ...absorbed] = drafts;
  const draft = { userId, lessonId, answers, absorbed };
  try {
    // Under the page's own draft id, unless that draft has other text: a form may be sent twice.
    if (own) {
      await saveDraft(services, { ...draft, draftId: own.id, revision: own.revision });
      const open = await openerOf(services, userId, write);
      const copies = await listCopies(write, open, { userId, lessonId }, answers);
      if (copies.length > 0) return true;
    }
    return await saveDraft(services, { ...draft, draftId: newId(), revision: 1 });
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

// The next open lesson, else what follows on the same; or there what became a draft. The lesson is
// completed by now: an error here only affects where to continue.
async function queryToContinue(
  services: Services,
  { userId, slug, lessonId, draftId }: OfLesson & { slug: string; draftId: string | null },
): Promise<string> {
  try {
    const course = await findCourseAccess(services, { userId, slug });
    if (!course?.enrolledAt) return "";
    const { id: productId, enrolledAt } = course;
    const outline = await getOutline(services, { userId, productId, enrolledAt });
    const same = lessonsInOrder(outline).find(({ id }) => id === lessonId);
    if (!same) return "";
    if (draftId) return `?lesson=${lessonKeys(outline)(same)}&draft=${draftId}#saved-draft`;
    const { next } = lessonButtons(outline, same);
    const key = lessonKeys(outline)(next ?? same);
    return `?lesson=${key}${next ? "" : `#${afterLessonId}`}`;
  } catch (error) {
    services.log.error({ err: error }, "the way on from a lesson could not be found");
    return "";
  }
}
