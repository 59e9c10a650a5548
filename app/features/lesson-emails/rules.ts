import { morning } from "./messages.ts";

const dayMs = 24 * 3600_000;

/** A place among those who are enrolled in a course, in the order of their enrollment. */
export type EnrollmentCursor = { enrolledAt: Date; enrollmentId: string };

/**
 * Up to whom nobody is told of a lesson that is looked at for the first time: those for whom it had
 * opened before it existed here, or before the site began to tell of lessons. So neither a new
 * version of the site nor a lesson that is added to days long past writes to anybody.
 */
export function firstMark(
  { createdAt, dripDay }: { createdAt: Date; dripDay: number },
  tellingSince: Date,
): EnrollmentCursor {
  const since = Math.max(createdAt.getTime(), tellingSince.getTime());
  return { enrolledAt: new Date(since - dripDay * dayMs), enrollmentId: "" };
}

/** When the last of those enrolled, for whom a lesson of this day is open at `at` (spec 4, Lesson). */
export function lastEnrolled(dripDay: number, at: Date): Date {
  return new Date(at.getTime() - dripDay * dayMs);
}

/** Whether it is a time for emails about lessons. */
export const isMorning = ({ hour }: { hour: number }) =>
  hour >= morning.from && hour < morning.until;

/**
 * Whether an email for `day` may go out now: on that day, in the morning. One that comes late, or
 * whose reader is elsewhere by now, waits for the next morning, with whatever else opens until then.
 */
export function isItsMorning(day: string, here: { day: string; hour: number }): boolean {
  return here.day === day && isMorning(here);
}

type Named = { title: string; lessons: readonly { title: string; words: unknown }[] };

/**
 * What an email about lessons is called. It says what has opened and never when: it may be read
 * days later.
 */
export function subjectOf(courses: readonly Named[]): string {
  const lessons = courses.flatMap((course) => course.lessons);
  const [first, second] = lessons;
  const [course] = courses;
  if (!first || !course) return "";
  const isWhole = lessons.every(({ words }) => words !== null);
  if (!second) return isWhole ? `${course.title}: ${first.title}` : `“${first.title}” is open`;
  const more =
    lessons.length === 2 ? `“${second.title}”` : `${numberWord(lessons.length - 1)} more lessons`;
  const both = `“${first.title}” and ${more}`;
  return isWhole && courses.length === 1 ? `${course.title}: ${both}` : `${both} are open`;
}

function numberWord(count: number): string {
  return ["two", "three", "four", "five", "six"][count - 2] ?? String(count);
}
