/** On the clock where the student is: an email about lessons comes at eight, and not after noon. */
export const morning = { from: 8, until: 12 } as const;

/** The kind of work that sends the email of a morning. */
export const lessonEmailKind = "learning.lesson-opened";

/** Whether it is a time for emails about lessons. */
export const isMorning = ({ hour }: { hour: number }) =>
  hour >= morning.from && hour < morning.until;

type Named = { title: string; lessons: readonly { title: string; words: unknown }[] };

/** The subject says what has opened and never when: the email may be read days later. */
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
