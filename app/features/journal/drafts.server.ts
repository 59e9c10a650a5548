import { type ExpressionBuilder, sql } from "kysely";
import { requireOpenLesson } from "~/features/enrollments/access.server.ts";
import { isLocked } from "~/features/enrollments/lesson-order.ts";
import { sealOf } from "~/platform/crypto/person-key.ts";
import type { Seal } from "~/platform/crypto/seal.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { pace } from "~/platform/http/pace.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { draftPlace, type Opener, openerOf, sealAnswers } from "./encryption.server.ts";
import { storageMessages } from "./messages.ts";
import { givenAnswers, isOverStorage, journalText, type Used } from "./rules.ts";
import { type Answer, type DraftSave, lengthOf, type SeenDraft } from "./schema.ts";

/** Something typed into a lesson's boxes and not sent yet. */
export type Draft = { id: string; answers: Answer[]; revision: number; updatedAt: Date };

type SealedDraft = Omit<Draft, "answers"> & { sealedAnswers: string | null };

/** Neither sent nor deleted. */
export const isUnsent = sql<boolean>`discarded_at is null`;

/** A student's own drafts in a lesson, newest first, the five newest; {@link openDraft} opens one. */
export function listDrafts(db: Query, userId: string, lessonId: string): Promise<SealedDraft[]> {
  return db
    .selectFrom("lessonDrafts")
    .select(["id", "sealedAnswers", "revision", "updatedAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where(isUnsent)
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(5)
    .execute();
}

/** One of the student's own drafts, with the lesson that it belongs to; null when there is none. */
export async function findDraft(services: Services, userId: string, id: string) {
  const { db } = services;
  const row = await db.write
    .selectFrom("lessonDrafts")
    .select(["id", "lessonId", "sealedAnswers", "revision", "updatedAt"])
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where(isUnsent)
    .executeTakeFirst();
  if (!row) return null;
  const { lessonId, ...sealed } = row;
  const open = await openerOf(services, userId, db.write);
  return { lessonId, ...openDraft(open, lessonId, sealed) };
}

/** Whether one of these drafts has these very words. */
export async function isDrafted(
  services: Services,
  { userId, lessonId, answers }: { userId: string; lessonId: string; answers: Answer[] },
): Promise<boolean> {
  const drafts = await listDrafts(services.db.write, userId, lessonId);
  const open = await openerOf(services, userId, services.db.write);
  const text = journalText(answers);
  return drafts.some((draft) => journalText(openDraft(open, lessonId, draft).answers) === text);
}

/** Without answers, and `unreadable`, where they cannot be opened. */
export function openDraft(
  open: Opener,
  lessonId: string,
  { sealedAnswers: sealed, ...draft }: SealedDraft,
): Draft & { unreadable: boolean } {
  const answers = open(draftPlace(lessonId, draft.id), sealed);
  return { ...draft, answers: answers ?? [], unreadable: answers === null };
}

/** What this person's words take. Inside a transaction, give its handle. */
export async function storageUsed(db: Query, userId: string): Promise<Used> {
  const entries = await db
    .selectFrom("progress")
    .select(sql<number>`coalesce(sum(octet_length(journal_answer)), 0)`.as("bytes"))
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  const drafts = await db
    .selectFrom("lessonDrafts")
    .select([
      sql<number>`coalesce(sum(octet_length(sealed_answers)), 0)`.as("bytes"),
      ({ fn }) => fn.countAll<number>().filterWhere(isUnsent).as("count"),
    ])
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return { bytes: Number(entries.bytes) + Number(drafts.bytes), drafts: Number(drafts.count) };
}

/**
 * Writes words of this person, if there is room for them. What takes no more than before is always
 * written, also by somebody who has more than the room.
 * @param write on the handle of the transaction, which it then must not outlive
 * @throws {Refused} no_room, which takes the transaction back
 */
export async function requireStorage<T>(
  trx: Query,
  userId: string,
  write: () => Promise<T>,
): Promise<T> {
  const before = await storageUsed(trx, userId);
  const result = await write();
  if (isOverStorage(before, await storageUsed(trx, userId)))
    throw new Refused("no_room", storageMessages.full);
  return result;
}

/** Savings of words: a page that is typed in makes one a second, and two tabs of it two. */
export const saveRate = pace({ burst: 60, perSecond: 3 });

/** What a saving counts for: one, and one more for each 50,000 characters. */
export const saveCost = (answers: Answer[]): number => 1 + Math.floor(lengthOf(answers) / 50_000);

type OwnDraft = Omit<DraftSave, "userId" | "absorbed"> & { userId: string };

/**
 * Keeps what a student is typing. Each opening of a lesson writes a draft of its own,
 * so that neither an older draft nor one in another tab is overwritten; a save that
 * arrives after a later one is dropped. Emptied boxes remove the draft. Anyone who lost the course
 * while they were writing (a refund, a dispute, by hand), or its lesson (deleted, or given a later
 * day), still gets their words kept. The drafts that are `absorbed` in it are given up with it, so
 * that going on with one of them needs no room for both.
 * @returns false when the draft was sent or deleted meanwhile, or is not theirs: then the
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
    const isEmpty = givenAnswers(draft.answers).length === 0;
    await writeDraft(trx, draft, isEmpty ? null : await sealOf(services, userId, trx), now);
    const isWritten = await isKept(trx, draft);
    const older = isWritten ? absorbed.filter(({ id }) => id !== draftId) : [];
    for (const one of older) await emptySentDraft(trx, { userId, lessonId, draft: one }, now);
    return isWritten;
  };
  return services.db.transaction(async (trx) => {
    await requireWritable(trx, { ...draft, now });
    const isWritten = await requireStorage(trx, userId, () => write(trx));
    await forgetOldest(trx, userId);
    return isWritten;
  });
}

/**
 * @throws {Refused} unless the lesson is open to them, or was when their enrollment ended, or they have
 * worked in it: completed it, so that its words are in their journal, or written or played there
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
 * Each of these rows can only be made while the lesson is open to them, so that nobody gets into one
 * by this that they could never see.
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
export type DraftDeletion = "deleted" | "gone" | "changed";

/**
 * Deletes one of the student's own drafts, because they say so. What they have not seen stays: then it
 * is 'changed'. Words that another page has typed into it meanwhile, and not yet saved, come alive
 * when they arrive.
 */
export async function deleteDraft(
  { db, clock }: Services,
  { userId, draft: { id: draftId, revision } }: { userId: string; draft: SeenDraft },
): Promise<DraftDeletion> {
  if (!isId(draftId)) return "gone";
  const now = clock.now();
  const { numUpdatedRows } = await db.write
    .updateTable("lessonDrafts")
    .set((eb) => ({
      sealedAnswers: null,
      revision: eb("revision", "+", 1),
      updatedAt: now,
      discardedAt: now,
    }))
    .where("id", "=", draftId)
    .where("userId", "=", userId)
    .where("revision", "=", revision)
    .where(isUnsent)
    .executeTakeFirst();
  if (numUpdatedRows) return "deleted";
  const alive = await db.write
    .selectFrom("lessonDrafts")
    .select("id")
    .where("id", "=", draftId)
    .where("userId", "=", userId)
    .where(isUnsent)
    .executeTakeFirst();
  return alive ? "changed" : "gone";
}

/** {@link saveDraft} without its questions: what may not be written is left as it is.
 * @param seal null for a draft without answers */
export async function writeDraft(
  trx: Query,
  draft: OwnDraft,
  seal: Seal | null,
  now: Date,
): Promise<void> {
  const { draftId, lessonId, answers } = draft;
  const sealed = seal && sealAnswers(seal, draftPlace(lessonId, draftId), answers);
  await putDraft(trx, draft, sealed, now);
}

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

async function isKept(trx: Query, { draftId, userId, lessonId, answers }: OwnDraft) {
  const row = await trx
    .selectFrom("lessonDrafts")
    .select(isUnsent.as("isAlive"))
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
export function emptySentDraft(
  trx: Query,
  { userId, lessonId, draft }: { userId: string; lessonId: string; draft: SeenDraft },
  now: Date,
): Promise<void> {
  const emptied = { draftId: draft.id, revision: draft.revision + 1 };
  return putDraft(trx, { userId, lessonId, ...emptied }, null, now);
}
