import {
  discardDrafts,
  isActive,
  listDraftRows,
  putDraft,
} from "~/features/drafts/drafts.server.ts";
import { countOf, isAny } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { type Fields, formMessages } from "./messages.ts";
import { draftFields, type LessonDraftSave, typedFields } from "./schema.ts";

const kind = "lesson";

export type LessonDraft = Awaited<ReturnType<typeof listLessonDrafts>>[number];

/** An author's unsaved drafts of a lesson, newest first. */
export async function listLessonDrafts(
  { db }: Services,
  { userId, lessonId, timeZone }: { userId: string; lessonId: string; timeZone: string },
) {
  if (!isId(lessonId)) return [];
  const rows = await listDraftRows(db.read, { kind, userId, lessonId });
  return rows.map(({ updatedAt, content, ...draft }) => ({
    ...draft,
    fields: draftFields.parse(JSON.parse(content ?? "{}")),
    when: dateAndTime(updatedAt, timeZone),
  }));
}

const mostOffers = 5;
const maxDrafts = 200;

export type UnfinishedLesson = {
  lessonId: string;
  title: string;
  isNew: boolean;
  when: string;
  /** The module that it is in, or that was chosen for it; null if none was, or it is deleted. */
  module: { id: string; title: string; productId: string } | null;
};

/** Lessons that an author has begun to write or change and not saved, newest first; with `courseId`
 * those that belong to this course. */
export async function listUnfinishedLessons(
  { db }: Services,
  { userId, timeZone, courseId }: { userId: string; timeZone: string; courseId?: string },
): Promise<UnfinishedLesson[]> {
  const rows = await db.read
    .selectFrom("drafts")
    .leftJoin("lessons", "lessons.id", "drafts.lessonId")
    .select(["drafts.lessonId", "drafts.content", "drafts.updatedAt"])
    .select(["lessons.id as storedId", "lessons.title as storedTitle", "lessons.moduleId"])
    .where("drafts.kind", "=", kind)
    .where("drafts.userId", "=", userId)
    .where("drafts.discardedAt", "is", null)
    .where("lessons.deletedAt", "is", null)
    .orderBy("drafts.updatedAt", "desc")
    .limit(courseId ? maxDrafts : mostOffers * 4)
    .execute();
  const newest = new Map<string, (typeof rows)[number] & { typed: Fields }>();
  for (const row of rows)
    if (!newest.has(row.lessonId))
      newest.set(row.lessonId, {
        ...row,
        typed: typedFields.parse(JSON.parse(row.content ?? "{}")),
      });
  const drafts = [...newest.values()];
  const moduleIds = drafts.map(({ moduleId, typed }) => moduleId ?? typed.moduleId);
  const modules = await db.read
    .selectFrom("modules")
    .select(["id", "title", "productId"])
    .where("id", "in", moduleIds.length > 0 ? moduleIds : [""])
    .where("deletedAt", "is", null)
    .execute();
  return drafts
    .map(({ lessonId, storedId, storedTitle, moduleId, typed, updatedAt }) => ({
      lessonId,
      title: typed.title.trim() || storedTitle || "A lesson without a title",
      isNew: storedId === null,
      when: dateAndTime(updatedAt, timeZone),
      module: modules.find(({ id }) => id === (moduleId ?? typed.moduleId)) ?? null,
    }))
    .filter(({ module }) => !courseId || module?.productId === courseId)
    .slice(0, mostOffers);
}

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
