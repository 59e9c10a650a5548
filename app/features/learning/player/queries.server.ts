import type { Services } from "~/platform/services.ts";
import { dayInWords, momentInWords, shortDay } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { placeAnswers } from "../journal/rules.ts";
import { cannotBeRead } from "../journal/texts.ts";
import { getLessonMedia } from "../playback/queries.server.ts";
import { getLessonContent, getOutline, type Seat } from "../queries.server.ts";
import { roomUsed } from "../room/queries.server.ts";
import { percentUsed } from "../room/rules.ts";
import {
  initialLesson,
  inOrder,
  lessonButtons,
  lessonByKey,
  lessonKeys,
  opensAt,
  percent,
} from "../rules.ts";
import type { Lesson, Module } from "../schema.ts";

type Asked = {
  userId: string;
  course: Seat & { enrolledAt: Date };
  /** The lesson in the address; null for the first one to show. */
  key: string | null;
  /** A draft to be laid into the boxes at once. */
  draftId: string | null;
  timeZone: string;
};

/** Everything the lesson player shows (spec 2, Lesson player). */
export async function getPlayer(services: Services, asked: Asked) {
  const { userId, course, key, timeZone } = asked;
  const now = services.clock.now();
  const outline = await getOutline(services, {
    userId,
    productId: course.id,
    enrolledAt: course.enrolledAt,
  });
  const lessons = inOrder(outline);
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

/** The same function, asked once for each key: many lessons open on one day. */
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
  // Nothing of a locked lesson but its title leaves the server.
  if (lesson.isLocked) {
    const opens = dayInWords(opensAt(lesson.dripDay, course.enrolledAt), now, timeZone);
    return { ...shown, state: "locked" as const, opens };
  }
  const [content, media, used] = await Promise.all([
    getLessonContent(services, { userId, lessonId: lesson.id }),
    getLessonMedia(services, { userId, lessonId: lesson.id }),
    roomUsed(services.db.read, userId),
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
    unreadable: content.unreadable && cannotBeRead(site.email),
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
