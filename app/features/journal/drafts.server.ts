import { sql } from "kysely";
import {
  type DraftRow,
  discardDrafts,
  isActive,
  putDraft,
} from "~/features/drafts/drafts.server.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { requireOpenLesson } from "~/features/enrollments/access.server.ts";
import { isLocked } from "~/features/enrollments/lesson-order.ts";
import { sealOf } from "~/platform/crypto/person-key.ts";
import type { Seal } from "~/platform/crypto/seal.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { pace } from "~/platform/http/limits.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { draftPlace, type Opener, openerOf, sealAnswers } from "./encryption.server.ts";
import { storageMessages } from "./messages.ts";
import { givenAnswers, isOverStorage, type Used } from "./rules.ts";
import { type Answer, type JournalDraftSave, lengthOf } from "./schema.ts";

type SealedDraft = Pick<DraftRow, "id" | "content" | "revision" | "updatedAt">;
type OfLesson = { userId: string; lessonId: string };

const kind = "journal";

/** One of the student's own drafts, opened; null when there is none. */
export async function findDraft(services: Services, userId: string, id: string) {
  const { db } = services;
  const row = await db.write
    .selectFrom("drafts")
    .select(["id", "lessonId", "content", "revision", "updatedAt"])
    .where("id", "=", id)
    .where("kind", "=", kind)
    .where("userId", "=", userId)
    .where(isActive)
    .executeTakeFirst();
  if (!row) return null;
  const { lessonId, ...sealed } = row;
  const open = await openerOf(services, userId, db.write);
  return { lessonId, ...openDraft(open, lessonId, sealed) };
}

/** `unreadable` and without answers where they cannot be decrypted. */
export function openDraft(open: Opener, lessonId: string, { content, ...draft }: SealedDraft) {
  const answers = open(draftPlace(lessonId, draft.id), content);
  return { ...draft, answers: answers ?? [], unreadable: answers === null };
}

const used = compiledOnce((db, { userId }: { userId: string }) =>
  db.selectNoFrom(({ fn, selectFrom }) => {
    const own = selectFrom("drafts").where("kind", "=", kind).where("userId", "=", userId);
    return [
      selectFrom("progress")
        .select(sizeOf("journal_answer").as("bytes"))
        .where("userId", "=", userId)
        .as("entries"),
      own.select(sizeOf("content").as("bytes")).as("drafts"),
      own.select(fn.countAll<number>().filterWhere(isActive).as("count")).as("count"),
    ];
  }),
);

/** The storage that a user's answers and drafts take. */
export async function storageUsed(db: Query, userId: string): Promise<Used> {
  const [row] = await used(db, { userId });
  const { entries, drafts, count } = row ?? { entries: 0, drafts: 0, count: 0 };
  return { bytes: Number(entries) + Number(drafts), drafts: Number(count) };
}

const sizeOf = (column: string) => sql<number>`coalesce(sum(octet_length(${sql.ref(column)})), 0)`;

/** Runs `write` if its text fits into the user's storage. A write that takes no more than before
 * always succeeds. @throws {Refused} no_room, which rolls the transaction back */
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

/** How often a user may save: a page that is typed in saves once a second. */
export const saveRate = pace({ burst: 60, perSecond: 3 });

/** One, and one more for each 50,000 characters. */
export const saveCost = (answers: Answer[]): number => 1 + Math.floor(lengthOf(answers) / 50_000);

type OwnDraft = Omit<JournalDraftSave, "userId" | "absorbed" | "agoMs"> & { userId: string };
type Saving = OwnDraft & { absorbed?: SeenDraft[]; agoMs?: number };

/** Autosaves a student's answers as a draft; empty boxes remove it. It also works for students who
 * lost the course or the lesson while they were writing. The `absorbed` drafts are discarded in the
 * same transaction, so that continuing one needs no storage for both.
 * @returns false when the draft was sent or deleted meanwhile, or is another user's: nothing was
 * saved, and the text needs a draft with another id
 * @throws {Refused} not_found, not_enrolled, locked, no_room */
export async function saveDraft(
  services: Services,
  { absorbed = [], agoMs = 0, ...draft }: Saving,
): Promise<boolean> {
  const now = services.clock.now();
  const { userId, lessonId, draftId } = draft;
  const write = async (trx: Query) => {
    const isEmpty = givenAnswers(draft.answers).length === 0;
    const seal = isEmpty ? null : await sealOf(services, userId, trx);
    const typedAt = isEmpty ? now : new Date(now.getTime() - agoMs);
    const isWritten = await writeDraft(trx, draft, seal, typedAt);
    const older = isWritten ? absorbed.filter(({ id }) => id !== draftId) : [];
    await discardDrafts(trx, { kind, userId, lessonId }, older, now);
    return isWritten;
  };
  return services.db.transaction(async (trx) => {
    await requireWritable(trx, { userId, lessonId, now });
    return requireStorage(trx, userId, () => write(trx));
  });
}

/** @throws {Refused} unless the lesson is open to the student, or was open when their enrollment
 * ended, or they have worked in it */
async function requireWritable(trx: Query, asked: OfLesson & { now: Date }): Promise<void> {
  try {
    await requireOpenLesson(trx, asked);
  } catch (error) {
    if (!(error instanceof Refused) || !isId(asked.lessonId)) throw error;
    if (error.code === "not_enrolled" && (await wasOpen(trx, asked))) return;
    if (!(await hasWorkedIn(trx, asked))) throw error;
  }
}

/** Each of these rows can only be made while the lesson is open to the student. */
async function hasWorkedIn(trx: Query, { userId, lessonId }: OfLesson): Promise<boolean> {
  for (const table of ["progress", "drafts", "playbackPositions"] as const) {
    const row = await trx
      .selectFrom(table)
      .select("lessonId")
      .where("userId", "=", userId)
      .where("lessonId", "=", lessonId)
      // An administrator has drafts of the lesson itself as well.
      .$if(table === "drafts", (query) => query.where(sql.ref("kind"), "=", kind))
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

async function wasOpen(trx: Query, { userId, lessonId }: OfLesson): Promise<boolean> {
  const ended = await trx
    .selectFrom("formerEnrollments as former")
    .innerJoin("modules", "modules.productId", "former.productId")
    .innerJoin("lessons", "lessons.moduleId", "modules.id")
    .select(["lessons.dripDay", "former.createdAt", "former.lessonsFromAt", "former.removedAt"])
    .where("former.userId", "=", userId)
    .where("lessons.id", "=", lessonId)
    .execute();
  return ended.some(
    ({ dripDay, createdAt, lessonsFromAt, removedAt }) =>
      !isLocked(dripDay, lessonsFromAt ?? createdAt, removedAt),
  );
}

export type DraftDeletion = "deleted" | "gone" | "changed";

/** Deletes one of the student's own drafts, unless it has changed since they saw it. A later save of
 * another page makes it active again. */
export async function deleteDraft(
  { db, clock }: Services,
  { userId, draft }: { userId: string; draft: SeenDraft },
): Promise<DraftDeletion> {
  const row = await db.write
    .selectFrom("drafts")
    .select("id")
    .where("id", "=", draft.id)
    .where("kind", "=", kind)
    .where("userId", "=", userId)
    .where(isActive)
    .executeTakeFirst();
  if (!row) return "gone";
  const now = clock.now();
  const { numUpdatedRows } = await db.write
    .updateTable("drafts")
    .set({ content: null, updatedAt: now, discardedAt: now })
    .where("id", "=", row.id)
    .where("revision", "=", draft.revision)
    .where(isActive)
    .executeTakeFirst();
  return numUpdatedRows ? "deleted" : "changed";
}

/** {@link saveDraft} without its questions: what may not be written is left as it is.
 * @param seal null for a draft without answers
 * @returns whether the draft has these answers, or later ones */
export function writeDraft(
  trx: Query,
  { draftId: id, userId, lessonId, revision, answers }: OwnDraft,
  seal: Seal | null,
  now: Date,
): Promise<boolean> {
  const content = seal && sealAnswers(seal, draftPlace(lessonId, id), answers);
  return putDraft(trx, { id, kind, userId, lessonId, revision, content }, now);
}
