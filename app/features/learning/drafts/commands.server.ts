import type { ExpressionBuilder } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { Refused } from "~/platform/http/errors.ts";
import { sealOf } from "~/platform/sealing/person-key.ts";
import type { Services } from "~/platform/services.ts";
import { givenAnswers } from "../journal/rules.ts";
import { requireOpenLesson } from "../queries.server.ts";
import { withinRoom } from "../room/queries.server.ts";
import { isLocked } from "../rules.ts";
import type { DraftSave, SeenDraft } from "../schema.ts";
import { draftPlace, sealAnswers } from "../sealing/queries.server.ts";
import { isAlive } from "./queries.server.ts";

type OwnDraft = Omit<DraftSave, "userId" | "absorbed"> & { userId: string };

/**
 * Keeps what a student is typing. Each opening of a lesson writes a draft of its own,
 * so that neither an older draft nor one in another tab is overwritten; a save that
 * arrives after a later one is dropped. Emptied boxes remove the draft. Whoever lost the course
 * while she was writing (a refund, a dispute, by hand), or its lesson (deleted, or given a later
 * day), still gets her words kept. The drafts that are `absorbed` in it are given up with it, so
 * that going on with one of them needs no room for both.
 * @returns false when the draft was sent or deleted meanwhile, or is not hers: then the
 * words were not taken, and need a draft of another name
 * @throws {Refused} not_found, not_enrolled, locked, no_room
 */
export async function saveDraft(
  services: Services,
  { absorbed = [], ...draft }: OwnDraft & { absorbed?: SeenDraft[] },
): Promise<boolean> {
  const now = services.clock.now();
  const { userId, lessonId, draftId } = draft;
  const write = async (trx: Query) => {
    await writeDraft(services, trx, draft, now);
    const isWritten = await isKept(trx, draft);
    const older = isWritten ? absorbed.filter(({ id }) => id !== draftId) : [];
    for (const one of older) await giveUpDraft(trx, { userId, lessonId, draft: one }, now);
    return isWritten;
  };
  return services.db.transaction(async (trx) => {
    await requireWritable(trx, { ...draft, now });
    const isWritten = await withinRoom(trx, userId, () => write(trx));
    await forgetOldest(trx, userId);
    return isWritten;
  });
}

/**
 * @throws {Refused} unless the lesson is open to her, or was when her enrollment ended, or she has
 * worked in it: completed it, so that its words are in her journal, or written or played there
 */
async function requireWritable(
  trx: Query,
  asked: { userId: string; lessonId: string; now: Date },
): Promise<void> {
  try {
    await requireOpenLesson(trx, asked);
  } catch (error) {
    if (!(error instanceof Refused) || !isId(asked.lessonId)) throw error;
    const wasHers = error.code === "not_enrolled" && (await wasOpen(trx, asked));
    if (!wasHers && !(await hasWorkedIn(trx, asked))) throw error;
  }
}

/**
 * Each of these rows can only be made while the lesson is open to her, so that nobody gets into one
 * by this that she could never see.
 */
async function hasWorkedIn(trx: Query, { userId, lessonId }: { userId: string; lessonId: string }) {
  for (const table of ["progress", "lessonDrafts", "playbackPositions"] as const) {
    const row = await trx
      .selectFrom(table)
      .select("lessonId")
      .where("userId", "=", userId)
      .where("lessonId", "=", lessonId)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

async function wasOpen(trx: Query, { userId, lessonId }: { userId: string; lessonId: string }) {
  const ended = await trx
    .selectFrom("formerEnrollments as former")
    .innerJoin("modules", "modules.productId", "former.productId")
    .innerJoin("lessons", "lessons.moduleId", "modules.id")
    .select(["lessons.dripDay", "former.createdAt", "former.removedAt"])
    .where("former.userId", "=", userId)
    .where("lessons.id", "=", lessonId)
    .execute();
  return ended.some(
    ({ dripDay, createdAt, removedAt }) => !isLocked(dripDay, createdAt, removedAt),
  );
}

/** What a deletion came to. */
export type Deleted = "deleted" | "gone" | "changed";

/**
 * Deletes one of the student's own drafts, because she says so. What she has not seen stays: then it
 * is 'changed'. Words that another page has typed into it meanwhile, and not yet saved, come alive
 * when they arrive.
 */
export async function deleteDraft(
  { db, clock }: Services,
  { userId, draft: { id: draftId, revision } }: { userId: string; draft: SeenDraft },
): Promise<Deleted> {
  if (!isId(draftId)) return "gone";
  const now = clock.now();
  const { numUpdatedRows } = await db.write
    .updateTable("lessonDrafts")
    .set((eb) => ({
      sealedAnswers: null,
      answers: "[]",
      revision: eb("revision", "+", 1),
      updatedAt: now,
      discardedAt: now,
    }))
    .where("id", "=", draftId)
    .where("userId", "=", userId)
    .where("revision", "=", revision)
    .where(isAlive)
    .executeTakeFirst();
  if (numUpdatedRows) return "deleted";
  const alive = await db.write
    .selectFrom("lessonDrafts")
    .select("id")
    .where("id", "=", draftId)
    .where("userId", "=", userId)
    .where(isAlive)
    .executeTakeFirst();
  return alive ? "changed" : "gone";
}

/** {@link saveDraft} without its questions: what may not be written is left as it is. */
export async function writeDraft(
  services: Services,
  trx: Query,
  draft: OwnDraft,
  now: Date,
): Promise<void> {
  const { draftId, userId, lessonId, answers } = draft;
  const isEmpty = givenAnswers(answers).length === 0;
  const seal = isEmpty ? null : await sealOf(services, userId, trx);
  const sealed = seal && sealAnswers(seal, draftPlace(lessonId, draftId), answers);
  await putDraft(trx, draft, sealed, now);
}

/** Given up drafts of a person that late saves still bounce off. */
const mostGivenUp = 200;

/** Else their number would grow with everything that was ever emptied. */
async function forgetOldest(trx: Query, userId: string): Promise<void> {
  const isGivenUp = (eb: ExpressionBuilder<Tables, "lessonDrafts">) =>
    eb.and([
      eb("userId", "=", userId),
      eb("discardedAt", "is not", null),
      eb("sealedAnswers", "is", null),
    ]);
  const oldest = await trx
    .selectFrom("lessonDrafts")
    .select("id")
    .where(isGivenUp)
    .orderBy("updatedAt", "desc")
    .orderBy("id", "desc")
    .offset(mostGivenUp)
    .limit(mostGivenUp)
    .execute();
  if (oldest.length === 0) return;
  const ids = oldest.map(({ id }) => id);
  // On PostgreSQL, newer words may have come for one of them meanwhile.
  await trx.deleteFrom("lessonDrafts").where("id", "in", ids).where(isGivenUp).execute();
}

type Named = Pick<OwnDraft, "draftId" | "userId" | "lessonId" | "revision">;

/**
 * Giving a draft up (`sealedAnswers` null) takes the revision after the last that was seen, and that
 * is also the one of the next change to it: words of this revision are newer than what was given up.
 */
async function putDraft(
  trx: Query,
  { draftId: id, userId, lessonId, revision }: Named,
  sealedAnswers: string | null,
  now: Date,
): Promise<void> {
  const empty = sealedAnswers === null;
  const state = {
    sealedAnswers,
    answers: "[]",
    revision,
    updatedAt: now,
    discardedAt: empty ? now : null,
  };
  await trx
    .insertInto("lessonDrafts")
    .values({ id, userId, lessonId, createdAt: now, ...state })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(state)
        .where("lessonDrafts.userId", "=", userId)
        .where("lessonDrafts.lessonId", "=", lessonId)
        .where((eb) => {
          const older = eb("lessonDrafts.revision", "<", revision);
          if (empty) return older;
          const given = eb.and([
            eb("lessonDrafts.revision", "=", revision),
            eb("lessonDrafts.discardedAt", "is not", null),
          ]);
          return eb.or([older, given]);
        }),
    )
    .execute();
}

/** Whether the words of a save are in the database now, or newer ones of the same draft. */
async function isKept(trx: Query, { draftId, userId, lessonId, answers }: OwnDraft) {
  const row = await trx
    .selectFrom("lessonDrafts")
    .select(isAlive.as("isAlive"))
    .where("id", "=", draftId)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirst();
  if (!row) return false;
  return Boolean(row.isAlive) || givenAnswers(answers).length === 0;
}

/**
 * A draft was sent: its words go, and late saves of it are dropped. What was typed into it
 * after the revision that the sender had seen stays, or comes alive when it arrives.
 */
export function giveUpDraft(
  trx: Query,
  { userId, lessonId, draft }: { userId: string; lessonId: string; draft: SeenDraft },
  now: Date,
): Promise<void> {
  const emptied = { draftId: draft.id, revision: draft.revision + 1 };
  return putDraft(trx, { userId, lessonId, ...emptied }, null, now);
}
