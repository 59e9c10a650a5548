import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { clockTime, dayInWords } from "~/platform/time/words.ts";
import { type DraftFields, draftFields, typedFields } from "../lessons/schema.ts";

/** Something typed and not saved yet. */
export type Writing = {
  id: string;
  saves: number;
  baseRevision: number;
  fields: DraftFields;
  /** 'Monday, November 23 at 14:05', where its author is. */
  when: string;
};

const mostOffers = 5;

/** An author's own unsaved writing on a lesson, newest first. */
export async function listWriting(
  { db, clock }: Services,
  { userId, lessonId, timeZone }: { userId: string; lessonId: string; timeZone: string },
): Promise<Writing[]> {
  if (!isId(lessonId)) return [];
  const rows = await db.read
    .selectFrom("authoringDrafts")
    .select(["id", "saves", "baseRevision", "fields", "updatedAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where("discardedAt", "is", null)
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(mostOffers)
    .execute();
  const now = clock.now();
  return rows.map(({ updatedAt, fields, ...draft }) => ({
    ...draft,
    fields: draftFields.parse(fields),
    when: `${dayInWords(updatedAt, now, timeZone)} at ${clockTime(updatedAt, timeZone)}`,
  }));
}

export type Unfinished = { lessonId: string; title: string; isNew: boolean; when: string };

/** Lessons that an author has begun to write or change and not saved, newest first. */
export async function listUnfinished(
  { db, clock }: Services,
  { userId, timeZone }: { userId: string; timeZone: string },
): Promise<Unfinished[]> {
  const rows = await db.read
    .selectFrom("authoringDrafts")
    .leftJoin("lessons", "lessons.id", "authoringDrafts.lessonId")
    .select(["authoringDrafts.lessonId", "authoringDrafts.fields", "authoringDrafts.updatedAt"])
    .select(["lessons.id as storedId", "lessons.title as storedTitle"])
    .where("authoringDrafts.userId", "=", userId)
    .where("authoringDrafts.discardedAt", "is", null)
    .where("lessons.deletedAt", "is", null)
    .orderBy("authoringDrafts.updatedAt", "desc")
    .limit(mostOffers * 4)
    .execute();
  const now = clock.now();
  const newest = new Map<string, Unfinished>();
  for (const { lessonId, fields, updatedAt, storedId, storedTitle } of rows) {
    if (newest.has(lessonId)) continue;
    newest.set(lessonId, {
      lessonId,
      title: typedFields.parse(fields).title.trim() || storedTitle || "A lesson without a title",
      isNew: storedId === null,
      when: `${dayInWords(updatedAt, now, timeZone)} at ${clockTime(updatedAt, timeZone)}`,
    });
  }
  return [...newest.values()].slice(0, mostOffers);
}
