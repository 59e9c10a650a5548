import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import { journalText } from "../journal/rules.ts";
import type { Answer } from "../schema.ts";
import { draftPlace, type Opener, openerOf } from "../sealing/queries.server.ts";

/** Something typed into a lesson's boxes and not sent yet. */
export type Draft = { id: string; answers: Answer[]; revision: number; updatedAt: Date };

type SealedDraft = Omit<Draft, "answers"> & { sealedAnswers: string | null; answers: Answer[] };

/**
 * Neither sent nor deleted. This version gives up no draft without taking its words: a given up one
 * with sealed words was taken for empty by an older version, which cannot read them.
 */
export const isAlive = sql<boolean>`(discarded_at is null or sealed_answers is not null)`;

/** A student's own drafts in a lesson, newest first, the five newest; {@link openDraft} opens one. */
export function listDrafts(db: Query, userId: string, lessonId: string): Promise<SealedDraft[]> {
  return db
    .selectFrom("lessonDrafts")
    .select(["id", "sealedAnswers", "answers", "revision", "updatedAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where(isAlive)
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
    .select(["id", "lessonId", "sealedAnswers", "answers", "revision", "updatedAt"])
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where(isAlive)
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
  { sealedAnswers: sealed, answers: readable, ...draft }: SealedDraft,
): Draft & { unreadable: boolean } {
  const answers = open(draftPlace(lessonId, draft.id), { sealed, readable });
  return { ...draft, answers: answers ?? [], unreadable: answers === null };
}
