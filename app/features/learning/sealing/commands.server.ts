import { sql } from "kysely";
import { sealOf } from "~/platform/sealing/person-key.ts";
import type { Services } from "~/platform/services.ts";
import { draftPlace, progressPlace, sealAnswers } from "./queries.server.ts";

/** One of these may be a book. */
const batch = 20;

/** As the indexes of migration 013 have it. */
const isReadable = sql<boolean>`answers <> '[]'`;

export async function hasReadable({ db }: Services): Promise<boolean> {
  const sent = db.write.selectFrom("progress").select("lessonId as id").where(isReadable).limit(1);
  const drafts = db.write.selectFrom("lessonDrafts").select("id").where(isReadable).limit(1);
  return Boolean((await sent.executeTakeFirst()) ?? (await drafts.executeTakeFirst()));
}

/**
 * Seals answers of completed lessons that are readable in the database: from before journals were
 * sealed, or written by an older version that runs beside this one. What changes meanwhile is left.
 * @returns how many were found; fewer than asked for means that none is left
 */
export async function sealProgress(services: Services): Promise<number> {
  const rows = await services.db.write
    .selectFrom("progress")
    .select(["userId", "lessonId", "answers"])
    .where(isReadable)
    .limit(batch)
    .execute();
  const sealed: { userId: string; lessonId: string; journalAnswer: string | null }[] = [];
  for (const { userId, lessonId, answers } of rows) {
    const seal = await sealOf(services, userId);
    const journalAnswer = sealAnswers(seal, progressPlace(lessonId), answers);
    sealed.push({ userId, lessonId, journalAnswer });
  }
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
export async function sealDrafts(services: Services): Promise<number> {
  const rows = await services.db.write
    .selectFrom("lessonDrafts")
    .select(["id", "userId", "lessonId", "answers", "revision"])
    .where(isReadable)
    .limit(batch)
    .execute();
  const sealed: { id: string; revision: number; sealedAnswers: string | null }[] = [];
  for (const { id, userId, lessonId, answers, revision } of rows) {
    const seal = await sealOf(services, userId);
    const sealedAnswers = sealAnswers(seal, draftPlace(lessonId, id), answers);
    sealed.push({ id, revision, sealedAnswers });
  }
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

/** Brings back what an older version beside this one took for empty: it cannot read sealed words. */
export async function reviveDrafts({ db }: Services): Promise<void> {
  await db.write
    .updateTable("lessonDrafts")
    .set({ discardedAt: null })
    .where("discardedAt", "is not", null)
    .where("sealedAnswers", "is not", null)
    .execute();
}
