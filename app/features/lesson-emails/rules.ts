import { morning } from "./messages.ts";

/** Whether it is a time for emails about lessons. */
export const isMorning = ({ hour }: { hour: number }) =>
  hour >= morning.from && hour < morning.until;

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
