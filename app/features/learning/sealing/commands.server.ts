import { sql } from "kysely";
import { unmarkWiped } from "~/platform/db/wiped.ts";
import { sealOf } from "~/platform/sealing/person-key.ts";
import type { Seal } from "~/platform/sealing/seal.ts";
import type { Services } from "~/platform/services.ts";
import { draftPlace, orNull, progressPlace, sealAnswers } from "./queries.server.ts";

/** One of these may be a book. */
const batch = 20;

/** As the indexes of migration 013 have it. */
const isReadable = sql<boolean>`answers <> '[]'`;

/**
 * Seals answers of completed lessons that are readable in the database: from before journals were
 * sealed, or written by an older version that runs beside this one. What changes meanwhile is left.
 * @param passed persons whose keys cannot be opened: theirs are left as they are, and they are added
 * @returns how many were found; none means that none is left
 */
export async function sealProgress(services: Services, passed: Set<string>): Promise<number> {
  const rows = await services.db.write
    .selectFrom("progress")
    .select(["userId", "lessonId", "answers"])
    .where(isReadable)
    .$if(passed.size > 0, (rows) => rows.where("userId", "not in", [...passed]))
    .limit(batch)
    .execute();
  const sealed: { userId: string; lessonId: string; journalAnswer: string | null }[] = [];
  for (const { userId, lessonId, answers } of rows) {
    const seal = await sealUnlessPassed(services, userId, passed);
    if (!seal) continue;
    const journalAnswer = sealAnswers(seal, progressPlace(lessonId), answers);
    sealed.push({ userId, lessonId, journalAnswer });
  }
  // Before anything is sealed: it may be broken off in the middle.
  if (sealed.length > 0) await unmarkWiped(services);
  await services.db.transaction(async (trx) => {
    for (const { userId, lessonId, journalAnswer } of sealed)
      await trx
        .updateTable("progress")
        .set({ journalAnswer, answers: "[]" })
        .where("userId", "=", userId)
        .where("lessonId", "=", lessonId)
        .where(isReadable)
        .execute();
  });
  return rows.length;
}

/** {@link sealProgress} for drafts. */
export async function sealDrafts(services: Services, passed: Set<string>): Promise<number> {
  const rows = await services.db.write
    .selectFrom("lessonDrafts")
    .select(["id", "userId", "lessonId", "answers", "revision"])
    .where(isReadable)
    .$if(passed.size > 0, (rows) => rows.where("userId", "not in", [...passed]))
    .limit(batch)
    .execute();
  const sealed: { id: string; revision: number; sealedAnswers: string | null }[] = [];
  for (const { id, userId, lessonId, answers, revision } of rows) {
    const seal = await sealUnlessPassed(services, userId, passed);
    if (!seal) continue;
    const sealedAnswers = sealAnswers(seal, draftPlace(lessonId, id), answers);
    sealed.push({ id, revision, sealedAnswers });
  }
  // Before anything is sealed: it may be broken off in the middle.
  if (sealed.length > 0) await unmarkWiped(services);
  await services.db.transaction(async (trx) => {
    for (const { id, revision, sealedAnswers } of sealed)
      await trx
        .updateTable("lessonDrafts")
        .set({ sealedAnswers, answers: "[]" })
        .where("id", "=", id)
        // Each change of the words is a revision of its own.
        .where("revision", "=", revision)
        .where(isReadable)
        .execute();
  });
  return rows.length;
}

async function sealUnlessPassed(
  services: Services,
  userId: string,
  passed: Set<string>,
): Promise<Seal | null> {
  if (passed.has(userId)) return null;
  const made = await sealOf(services, userId).catch((error: unknown) => error);
  const seal = orNull(services, userId, () => {
    if (made instanceof Error) throw made;
    return made as Seal;
  });
  if (!seal) passed.add(userId);
  return seal;
}

/** Brings back what an older version beside this one took for empty: it cannot read sealed words. */
export async function reviveDrafts({ db }: Services): Promise<void> {
  await db.write
    .updateTable("lessonDrafts")
    .set({ discardedAt: null })
    .where("discardedAt", "is not", null)
    .where("sealedAnswers", "is not", null)
    .execute();
}
