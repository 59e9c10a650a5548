import type { Query } from "~/platform/db/database.ts";
import type { Answer } from "../schema.ts";
import { draftPlace, type Opener } from "../sealing/queries.server.ts";

/** Something typed into a lesson's boxes and not sent yet. */
export type Draft = { id: string; answers: Answer[]; revision: number; updatedAt: Date };

type SealedDraft = Omit<Draft, "answers"> & { sealedAnswers: string | null; answers: Answer[] };

/** A student's own drafts in a lesson, newest first, the five newest; {@link openDraft} opens one. */
export function listDrafts(db: Query, userId: string, lessonId: string): Promise<SealedDraft[]> {
  return db
    .selectFrom("lessonDrafts")
    .select(["id", "sealedAnswers", "answers", "revision", "updatedAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where("discardedAt", "is", null)
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(5)
    .execute();
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
