import { type CourseAccess, getOutline } from "~/features/enrollments/access.server.ts";
import {
  initialLesson,
  lessonButtons,
  lessonByKey,
  lessonKeys,
  lessonsInOrder,
  percent,
} from "~/features/enrollments/lesson-order.ts";
import { type Lesson, type Module, opensAt } from "~/features/enrollments/rules.ts";
import { listDrafts, openDraft, storageUsed } from "~/features/journal/drafts.server.ts";
import { openerOf, progressPlace } from "~/features/journal/encryption.server.ts";
import { unreadableMessage } from "~/features/journal/journal-page-messages.ts";
import { placeAnswers } from "~/features/journal/place-answers.ts";
import { percentUsed } from "~/features/journal/rules.ts";
import type { Services } from "~/platform/http/services.ts";
import { dayInWords, momentInWords, shortDay } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { getLessonMedia } from "./playback.server.ts";

/** The content of a lesson. Only for lessons that the outline reports as open. */
export async function getLessonContent(
  services: Services,
  { userId, lessonId }: { userId: string; lessonId: string },
) {
  const { db } = services;
  const [lesson, drafts] = await Promise.all([
    db.read
      .selectFrom("lessons")
      .leftJoin("progress", (join) =>
        join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", userId),
      )
      .select(["lessons.contentHtml", "lessons.prompts", "progress.journalAnswer"])
      .where("lessons.id", "=", lessonId)
      .executeTakeFirstOrThrow(),
    listDrafts(db.read, userId, lessonId),
  ]);
  // After the text is read: a student who has some also has a key.
  const open = await openerOf(services, userId);
  const { contentHtml, journalAnswer } = lesson;
  const answers = open(progressPlace(lessonId), journalAnswer);
  return {
    contentHtml,
    prompts: lesson.prompts ?? [],
    answers: answers ?? [],
    unreadable: answers === null,
    drafts: drafts
      .map((draft) => openDraft(open, lessonId, draft))
      .filter((draft) => !draft.unreadable),
  };
}

export type MyCourse = {
  id: string;
  slug: string;
  title: string;
  description: string | null;
  percent: number;
};

/** The student's courses with progress, newest enrollment first (spec 2, /my-courses). */
export async function listMyCourses({ db }: Services, userId: string): Promise<MyCourse[]> {
  const rows = await db.read
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["products.id", "products.slug", "products.title", "products.description"])
    .select((eb) => [
      eb
        .selectFrom("lessons")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("modules.productId", "=", "products.id")
        .where("modules.deletedAt", "is", null)
        .where("lessons.deletedAt", "is", null)
        .as("total"),
      eb
        .selectFrom("progress")
        .innerJoin("lessons", "lessons.id", "progress.lessonId")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("progress.userId", "=", "enrollments.userId")
        .whereRef("modules.productId", "=", "products.id")
        .where("modules.deletedAt", "is", null)
        .where("lessons.deletedAt", "is", null)
        .as("completed"),
    ])
    .where("enrollments.userId", "=", userId)
    .where("products.deletedAt", "is", null)
    .orderBy("enrollments.createdAt", "desc")
    .orderBy("enrollments.id", "desc")
    .execute();
  return rows.map(({ total, completed, ...course }) => ({
    ...course,
    percent: percent(completed ?? 0, total ?? 0),
  }));
}

type Asked = {
  userId: string;
  course: CourseAccess & { enrolledAt: Date };
  /** From the URL; null for the first lesson to show. */
  key: string | null;
  /** A draft to restore into the form. */
  draftId: string | null;
  timeZone: string;
};

/** Everything that the lesson player shows (spec 2, Lesson player). */
export async function getPlayer(services: Services, asked: Asked) {
  const { userId, course, key, timeZone } = asked;
  const now = services.clock.now();
  const outline = await getOutline(services, {
    userId,
    productId: course.id,
    enrolledAt: course.enrolledAt,
  });
  const lessons = lessonsInOrder(outline);
  const lesson = key === null ? initialLesson(outline) : lessonByKey(outline, key);
  const keyOf = lessonKeys(outline);
  const opens = remembered((day: number) => shortDay(opensAt(day, course.enrolledAt), timeZone));
  const completed = lessons.filter(({ isCompleted }) => isCompleted).length;
  return {
    course: { slug: course.slug, title: course.title },
    percent: percent(completed, lessons.length),
    modules: outline.map((module) => ({
      id: module.id,
      title: module.title,
      lessons: module.lessons.map((entry) => ({
        ...entry,
        key: keyOf(entry),
        isCurrent: entry.id === lesson?.id,
        opens: entry.isLocked ? opens(entry.dripDay) : null,
      })),
    })),
    lesson: lesson && (await show(services, asked, outline, lesson, now)),
  };
}

// Memoizes by key: many lessons open on one day.
function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key) as V;
  };
}

export type Player = Awaited<ReturnType<typeof getPlayer>>;
export type ShownLesson = NonNullable<Player["lesson"]>;
export type OpenLesson = Extract<ShownLesson, { state: "open" }>;

async function show(
  services: Services,
  { userId, course, draftId, timeZone }: Asked,
  outline: Module[],
  lesson: Lesson,
  now: Date,
) {
  const keyOf = lessonKeys(outline);
  const { previous, next, ...buttons } = lessonButtons(outline, lesson);
  const shown = {
    id: lesson.id,
    title: lesson.title,
    key: keyOf(lesson),
    previousKey: previous && keyOf(previous),
    nextKey: next && keyOf(next),
  };
  // Of a locked lesson, nothing but the title leaves the server.
  if (lesson.isLocked) {
    const opens = dayInWords(opensAt(lesson.dripDay, course.enrolledAt), now, timeZone);
    return { ...shown, state: "locked" as const, opens };
  }
  const [content, media, used] = await Promise.all([
    getLessonContent(services, { userId, lessonId: lesson.id }),
    getLessonMedia(services, { userId, lessonId: lesson.id }),
    storageUsed(services.db.read, userId),
  ]);
  const questions = content.prompts.map(({ question }) => question);
  const restored = content.drafts.find(({ id }) => id === draftId);
  return {
    ...shown,
    state: "open" as const,
    ...buttons,
    html: content.contentHtml,
    prompts: content.prompts,
    media,
    room: percentUsed(used),
    isCompleted: lesson.isCompleted,
    answers: content.answers,
    unreadable: content.unreadable && unreadableMessage(site.email),
    restored: restored
      ? {
          id: restored.id,
          revision: restored.revision,
          texts: placeAnswers(questions, restored.answers),
        }
      : null,
    drafts: content.drafts
      .filter(({ id }) => id !== restored?.id)
      .map(({ id, revision, answers, updatedAt }) => ({
        id,
        revision,
        answers,
        when: momentInWords(updatedAt, now, timeZone),
      })),
  };
}
