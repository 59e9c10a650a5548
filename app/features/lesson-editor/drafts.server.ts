import {
  discardDrafts,
  isActive,
  listDraftRows,
  putDraft,
} from "~/features/drafts/drafts.server.ts";
import { countOf, isAny } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { clockTime, dayInWords } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { formMessages } from "./messages.ts";
import { draftFields, type LessonDraftSave, typedFields } from "./schema.ts";

const kind = "lesson";

export type LessonDraft = Awaited<ReturnType<typeof listLessonDrafts>>[number];

/** 'Monday, November 23 at 14:05' */
export const dayAndTime = (at: Date, now: Date, timeZone: string) =>
  `${dayInWords(at, now, timeZone)} at ${clockTime(at, timeZone)}`;

/** An author's unsaved drafts of a lesson, newest first. */
export async function listLessonDrafts(
  { db, clock }: Services,
  { userId, lessonId, timeZone }: { userId: string; lessonId: string; timeZone: string },
) {
  if (!isId(lessonId)) return [];
  const rows = await listDraftRows(db.read, { kind, userId, lessonId });
  const now = clock.now();
  return rows.map(({ updatedAt, content, ...draft }) => ({
    ...draft,
    fields: draftFields.parse(JSON.parse(content ?? "{}")),
    when: dayAndTime(updatedAt, now, timeZone),
  }));
}

const mostOffers = 5;

export type UnfinishedLesson = { lessonId: string; title: string; isNew: boolean; when: string };

/** Lessons that an author has begun to write or change and not saved, newest first. */
export async function listUnfinishedLessons(
  { db, clock }: Services,
  { userId, timeZone }: { userId: string; timeZone: string },
): Promise<UnfinishedLesson[]> {
  const rows = await db.read
    .selectFrom("drafts")
    .leftJoin("lessons", "lessons.id", "drafts.lessonId")
    .select(["drafts.lessonId", "drafts.content", "drafts.updatedAt"])
    .select(["lessons.id as storedId", "lessons.title as storedTitle"])
    .where("drafts.kind", "=", kind)
    .where("drafts.userId", "=", userId)
    .where("drafts.discardedAt", "is", null)
    .where("lessons.deletedAt", "is", null)
    .orderBy("drafts.updatedAt", "desc")
    .limit(mostOffers * 4)
    .execute();
  const now = clock.now();
  const newest = new Map<string, UnfinishedLesson>();
  for (const { lessonId, content, updatedAt, storedId, storedTitle } of rows) {
    if (newest.has(lessonId)) continue;
    newest.set(lessonId, {
      lessonId,
      title:
        typedFields.parse(JSON.parse(content ?? "{}")).title.trim() ||
        storedTitle ||
        "A lesson without a title",
      isNew: storedId === null,
      when: dayAndTime(updatedAt, now, timeZone),
    });
  }
  return [...newest.values()].slice(0, mostOffers);
}

const maxDrafts = 200;

type OwnSave = LessonDraftSave & { lessonId: string };

/** Autosaves a draft of a lesson, and discards those that are `absorbed` in it.
 * @throws {Refused} no_room for a new draft if the user has {@link maxDrafts} */
export async function saveLessonDraft(
  { db, clock }: Services,
  { draftId: id, userId, lessonId, absorbed, fields, ...save }: OwnSave,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (trx) => {
    const active = trx
      .selectFrom("drafts")
      .where("kind", "=", kind)
      .where("userId", "=", userId)
      .where(isActive);
    if ((await countOf(active)) >= maxDrafts && !(await isAny(active.where("id", "=", id))))
      throw new Refused("no_room", formMessages.tooManyDrafts);
    const draft = { kind, userId, lessonId } as const;
    const content = JSON.stringify(fields);
    const isWritten = await putDraft(trx, { ...draft, id, ...save, content }, now);
    const older = isWritten ? absorbed.filter((one) => one.id !== id) : [];
    await discardDrafts(trx, draft, older, now);
  });
}
