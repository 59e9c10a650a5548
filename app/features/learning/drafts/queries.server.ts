import type { Query } from "~/platform/db/database.ts";
import type { Answer } from "../schema.ts";

/** Something typed into a lesson's boxes and not sent yet. */
export type Draft = { id: string; answers: Answer[]; revision: number; updatedAt: Date };

/** A student's own drafts in a lesson, newest first, the five newest. */
export function listDrafts(db: Query, userId: string, lessonId: string): Promise<Draft[]> {
  return db
    .selectFrom("lessonDrafts")
    .select(["id", "answers", "revision", "updatedAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where("discardedAt", "is", null)
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(5)
    .execute();
}
