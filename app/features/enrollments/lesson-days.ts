import { isLocked } from "./lesson-order.ts";
import { everyLessonOpen, openingOf, openingWords } from "./rules.ts";

/** How the days of one student's lessons count: from the enrollment as for all, from another day
 * ('2026-11-30'), or not at all. */
export type LessonDays = "enrollment" | "open" | (string & {});

type Lesson = { dripDay: number; isCompleted: boolean };

type Move = {
  lessons: readonly Lesson[];
  /** From when the days count, before and after. */
  before: Date;
  after: Date;
  now: Date;
};

const lessons = (count: number) => (count === 1 ? "1 lesson" : `${count} lessons`);

/** Which lessons open and close at once, in words. A completed lesson closes like any other (spec 4),
 * and what was completed and written stays. */
export function moveWords({ lessons: all, before, after, now }: Move): string {
  const isOpen = (from: Date) => (lesson: Lesson) => !isLocked(lesson.dripDay, from, now);
  const opening = all.filter((lesson) => isOpen(after)(lesson) && !isOpen(before)(lesson)).length;
  const closing = all.filter((lesson) => isOpen(before)(lesson) && !isOpen(after)(lesson));
  if (opening > 0)
    return `${opening} more ${opening === 1 ? "lesson opens" : "lessons open"} at once.`;
  if (closing.length === 0) return "No lesson opens or closes at once.";
  const completed = closing.filter(({ isCompleted }) => isCompleted).length;
  const until = `${lessons(closing.length)} ${closing.length === 1 ? "closes" : "close"} until the new day.`;
  if (completed === 0) return until;
  const which =
    closing.length === 1 ? "It is" : `${completed} of them ${completed === 1 ? "is" : "are"}`;
  return `${until} ${which} completed: that and the answers stay, in the journal too.`;
}

export function daysWords(
  { from, isMoved }: { from: Date; isMoved: boolean },
  dripDays: readonly number[],
  now: Date,
  day: (date: Date) => string,
): string {
  if (from.getTime() === everyLessonOpen.getTime())
    return "Every lesson is open, whatever its day.";
  if (dripDays.length === 0) return "The course has no lessons.";
  const since = isMoved ? `${day(from)}, not from the enrollment` : `the enrollment, ${day(from)}`;
  return `The days count from ${since}. ${openingWords(openingOf(dripDays, from, now), day)}`;
}

/** The question before a change; `day` is the chosen day in words. */
export function questionWords(days: LessonDays, day: string | null): string {
  if (days === "open") return "Open every lesson?";
  return day ? `Count the days from ${day}?` : "Count the days from the enrollment?";
}

export function auditWords(days: LessonDays): string {
  if (days === "open") return "Every lesson open";
  return `Counted from ${days === "enrollment" ? "the enrollment" : days}`;
}

export function emailWords(days: LessonDays, lessonEmails: "off" | "notice" | "lesson"): string {
  if (lessonEmails === "off") return "This course sends no lesson emails.";
  if (days === "open") return "No lesson emails are sent while every lesson is open.";
  return "Lesson emails follow the new days: one a morning at most, for what opened in the last few days. A lesson that an email has named is not named again.";
}
