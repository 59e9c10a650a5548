import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { clockTime, dayInWords } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { formMessages } from "./messages.ts";
import {
  type DraftFields,
  draftFields,
  type LessonDraftSave,
  type SeenLessonDraft,
  typedFields,
} from "./schema.ts";

export type LessonDraft = {
  id: string;
  saves: number;
  baseRevision: number;
  fields: DraftFields;
  /** 'Monday, November 23 at 14:05' in the author's time zone. */
  when: string;
};

const mostOffers = 5;

/** An author's unsaved drafts of a lesson, newest first. */
export async function listLessonDrafts(
  { db, clock }: Services,
  { userId, lessonId, timeZone }: { userId: string; lessonId: string; timeZone: string },
): Promise<LessonDraft[]> {
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

export type UnfinishedLesson = { lessonId: string; title: string; isNew: boolean; when: string };

/** Lessons that an author has begun to write or change and not saved, newest first. */
export async function listUnfinishedLessons(
  { db, clock }: Services,
  { userId, timeZone }: { userId: string; timeZone: string },
): Promise<UnfinishedLesson[]> {
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
  const newest = new Map<string, UnfinishedLesson>();
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

const maxDrafts = 200;

type DraftKey = Omit<LessonDraftSave, "draftId"> & { id: string; lessonId: string };
type Rebase = { id: string; userId: string; lessonId: string; revision: number };

/** Autosaves a draft. Each opened page has its own draft, so that nothing is overwritten; a save
 * that arrives after a later one is dropped (docs/decisions/003 and 004).
 * @throws {Refused} no_room for a new draft if the user has {@link maxDrafts} */
export async function saveLessonDraft(
  { db, clock }: Services,
  { id, userId, lessonId, baseRevision, saves, fields }: DraftKey,
): Promise<void> {
  const now = clock.now();
  const alive = db.write
    .selectFrom("authoringDrafts")
    .where("userId", "=", userId)
    .where("discardedAt", "is", null);
  const { count } = await alive
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxDrafts) {
    const own = await alive.select("id").where("id", "=", id).executeTakeFirst();
    if (!own) throw new Refused("no_room", formMessages.tooManyDrafts);
  }
  const state = {
    fields: JSON.stringify(fields),
    baseRevision,
    saves,
    updatedAt: now,
    discardedAt: null,
  };
  await db.write
    .insertInto("authoringDrafts")
    .values({ id, userId, lessonId, createdAt: now, ...state })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => ({
          ...state,
          // The page may not know yet that its form was saved meanwhile (`rebaseLessonDraft`).
          baseRevision: eb
            .case()
            .when("authoringDrafts.baseRevision", ">", baseRevision)
            .then(eb.ref("authoringDrafts.baseRevision"))
            .else(baseRevision)
            .end(),
        }))
        .where("authoringDrafts.userId", "=", userId)
        .where("authoringDrafts.lessonId", "=", lessonId)
        .where("authoringDrafts.saves", "<", saves),
    )
    .execute();
}

/** Clears drafts that were saved or discarded, and drops their late saves. Text typed after `saves`
 * stays, or makes the draft active again when it arrives. */
export async function discardLessonDrafts(
  db: Query,
  { userId, lessonId, drafts }: { userId: string; lessonId: string; drafts: SeenLessonDraft[] },
  now: Date,
): Promise<void> {
  for (const { id, saves } of drafts) {
    if (!isId(id)) continue;
    const emptied = {
      fields: "{}",
      baseRevision: 0,
      saves,
      updatedAt: now,
      discardedAt: now,
    };
    await db
      .insertInto("authoringDrafts")
      .values({ id, userId, lessonId, createdAt: now, ...emptied })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet(emptied)
          .where("authoringDrafts.userId", "=", userId)
          .where("authoringDrafts.lessonId", "=", lessonId)
          .where("authoringDrafts.saves", "<=", saves),
      )
      .execute();
  }
}

/** The draft's form was saved as `revision`: text typed since, stored or not, continues from it. */
export async function rebaseLessonDraft(
  db: Query,
  { id, userId, lessonId, revision }: Rebase,
): Promise<void> {
  await db
    .updateTable("authoringDrafts")
    .set({ baseRevision: revision })
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where("baseRevision", "<", revision)
    .execute();
}

/** Long after the last save of a closed page could still arrive. */
const keptMs = 30 * 24 * 3600_000;

/** Discarded drafts are empty and only reject late saves, so old ones are deleted. */
export const deleteOldLessonDrafts: RegularTask = {
  name: "courses.forget-writing",
  async run({ db, clock }) {
    await db.write
      .deleteFrom("authoringDrafts")
      .where("discardedAt", "<", new Date(clock.now().getTime() - keptMs))
      .execute();
  },
};
