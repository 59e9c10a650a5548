import { preferencesPath } from "~/features/accounts/messages.ts";
import type { CourseAccess } from "~/features/enrollments/access.server.ts";
import { afterLastOpen, lessonKeys } from "~/features/enrollments/lesson-order.ts";
import { type Lesson, type Module, opensAt } from "~/features/enrollments/rules.ts";
import { bookPath, journalPath } from "~/features/journal/messages.ts";
import { nextLessonEmail } from "~/features/lesson-emails/lesson-schedule.server.ts";
import { isAny } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { comingMorning, comingTime } from "~/platform/time/words.ts";
import { afterLessonId, afterLessonMessages as messages } from "./messages.ts";

type Student = {
  userId: string;
  course: CourseAccess & { enrolledAt: Date };
  /** The lesson in the address, if one is named. */
  key: string | null;
  timeZone: string;
};

/** What the player says where no open lesson follows: which lesson opens next and whether an email
 * comes, which one is not completed, or that the course is at its end. Null: nothing of these. */
export async function findAfterLesson(
  services: Services,
  student: Student,
  outline: Module[],
  lesson: Lesson,
) {
  const { userId, course, key, timeZone } = student;
  const { opensNext, toDo, isFinished } = afterLastOpen(outline, lesson.id);
  if (!opensNext && !toDo && !isFinished) return null;
  const now = services.clock.now();
  const keyOf = lessonKeys(outline);
  const opens = opensNext && opensAt(opensNext.dripDay, course.enrolledAt);
  // A locked lesson says itself when it opens.
  const isItself = opensNext?.id === lesson.id;
  const says = [
    opens && !isItself && messages.opens(opensNext.title, comingTime(opens, now, timeZone)),
    isFinished && messages.staysOpen,
  ];
  const isWritten = isFinished && (await hasAnswers(services, userId, course.id));
  const here = key === null ? "" : `?lesson=${keyOf(lesson)}`;
  const back = `/courses/${course.slug}/learn${here}#${afterLessonId}`;
  return {
    heading: isFinished
      ? messages[key === null ? "reopened" : "finished"]
      : opens
        ? messages[isItself ? "untilThen" : "waiting"]
        : messages.toDo,
    says: says.filter((sentence) => typeof sentence === "string"),
    email:
      opens && (await aboutEmail(services, student, { lessonId: opensNext.id, opens, now, back })),
    toDo: toDo && { title: toDo.title, key: keyOf(toDo) },
    book: isWritten ? `${bookPath}#course-${course.id}` : null,
    journal: journalPath,
  };
}

export type WhatFollows = NonNullable<Awaited<ReturnType<typeof findAfterLesson>>>;

/** Whether an email comes when a lesson opens, with the form that turns it on. */
async function aboutEmail(
  services: Services,
  { userId, course, timeZone }: Student,
  { lessonId, opens, now, back }: { lessonId: string; opens: Date; now: Date; back: string },
) {
  const email = await nextLessonEmail(services, { userId, productId: course.id, lessonId, opens });
  if (!email) return null;
  const { isWanted, at } = email;
  const says = isWanted ? messages.emailComes(comingMorning(at, now, timeZone)) : messages.noEmail;
  return { says, isWanted, preferences: preferencesPath, back };
}

function hasAnswers({ db }: Services, userId: string, productId: string): Promise<boolean> {
  const answers = db.read
    .selectFrom("progress")
    .innerJoin("lessons", "lessons.id", "progress.lessonId")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .where("progress.userId", "=", userId)
    .where("progress.journalAnswer", "is not", null)
    .where("modules.productId", "=", productId);
  return isAny(answers);
}

const namedAtMost = 3;

/** Sentences about the locked lessons that 'Next Lesson' passes over. */
export function sayPassedOver(lessons: readonly { title: string; opens: string }[]): string[] {
  const more = lessons.length - namedAtMost;
  return [
    ...lessons.slice(0, namedAtMost).map(({ title, opens }) => messages.opens(title, opens)),
    ...(more > 0 ? [messages.moreOpen(more)] : []),
  ];
}
