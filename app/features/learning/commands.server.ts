import { wantsLetter } from "~/features/accounts/letters/queries.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { sealOf } from "~/platform/sealing/person-key.ts";
import type { Services } from "~/platform/services.ts";
import { giveUpDraft, writeDraft } from "./drafts/commands.server.ts";
import { listDrafts, openDraft } from "./drafts/queries.server.ts";
import { moduleCompletedMail } from "./jobs.server.ts";
import { givenAnswers, journalText } from "./journal/rules.ts";
import { requireOpenLesson } from "./queries.server.ts";
import { withinRoom } from "./room/queries.server.ts";
import type { Answer, SeenDraft } from "./schema.ts";
import { openerOf, progressPlace, sealAnswers } from "./sealing/queries.server.ts";

/** The mail about a completed module is promised in about an hour (spec 9), in milliseconds. */
const moduleMailDelayMs = 3600_000;

type Completing = {
  userId: string;
  lessonId: string;
  answers: Answer[];
  /** The drafts that the answers were typed in or restored from: they are sent now, so they go. */
  drafts: SeenDraft[];
};

/**
 * Completes a lesson and keeps its journal (spec 4, Lesson). Twice is once: the first
 * answers stand, and different words sent the second time are kept as a draft.
 * Completing the last lesson of a module records the mail that will follow.
 * @returns whether it is the last lesson of its module, and whether the letter about that is on its way
 * @throws {Refused} not_found, not_enrolled, locked or no_room
 */
export function completeLesson(
  services: Services,
  { userId, lessonId, answers, drafts }: Completing,
): Promise<{ moduleCompleted: boolean; letterComes: boolean }> {
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
        answers: "[]",
        createdAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (inserted && moduleCompleted) await recordModule(trx, { userId, moduleId, now });
    for (const draft of [
      ...drafts,
      ...(await copiesOf(services, trx, { userId, lessonId, given })),
    ])
      await giveUpDraft(trx, { userId, lessonId, draft }, now);
    const isNew = !inserted && given.length > 0;
    if (isNew && !(await alreadyKept(services, trx, { userId, lessonId, given }))) {
      const kept = { draftId: newId(), revision: 1, answers: given };
      await writeDraft(services, trx, { userId, lessonId, ...kept }, now);
    }
    const letterComes = moduleCompleted && (await isLetterComing(trx, { userId, moduleId, now }));
    return { moduleCompleted, letterComes };
  };
  return db.transaction((trx) => withinRoom(trx, userId, () => write(trx)));
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
  await enqueue(trx, moduleCompletedMail, { userId, moduleId }, { now, dueAt, to: { userId } });
}

/** Not any more when she completed the module long ago, nor when she has switched such letters off. */
async function isLetterComing(
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
  return recorded !== undefined && wantsLetter(trx, { userId, kind: "module-completed" });
}

type Given = { userId: string; lessonId: string; given: Answer[] };

/** Drafts with the very words that are sent now: restored on another device, and left there. */
async function copiesOf(services: Services, trx: Query, { userId, lessonId, given }: Given) {
  const drafts = await listDrafts(trx, userId, lessonId);
  // After the words: whoever has some has a key.
  const open = await openerOf(services, userId, trx);
  return drafts
    .map((draft) => openDraft(open, lessonId, draft))
    .filter(
      ({ answers, unreadable }) => !unreadable && journalText(answers) === journalText(given),
    );
}

async function alreadyKept(services: Services, trx: Query, { userId, lessonId, given }: Given) {
  const { journalAnswer: sealed, answers: readable } = await trx
    .selectFrom("progress")
    .select(["journalAnswer", "answers"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirstOrThrow();
  const open = await openerOf(services, userId, trx);
  const kept = open(progressPlace(lessonId), { sealed, readable });
  return kept !== null && journalText(kept) === journalText(given);
}
