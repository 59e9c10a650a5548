import { withinLimit } from "~/platform/db/rate-limit.ts";
import { limitConcurrency } from "~/platform/http/at-once.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { findOutline, readPages } from "./entries.server.ts";
import type { Book, BookChapter } from "./journal-book.ts";
import { unreadableMessage } from "./journal-page-messages.ts";
import type { JournalCourse, JournalCourseOutline, LessonOutline } from "./schema.ts";

type Asked = { userId: string; name: string; timeZone: string };

/** Books, files and exports that are being made: a whole journal is read for each. */
export const runningCopies = limitConcurrency({ each: 2, all: 6 });

/** @returns whether somebody may have their whole journal once more within the hour */
export const canStartCopy = (services: Services, userId: string): Promise<boolean> =>
  withinLimit(services, { what: "journal-copy", whose: userId, max: 30, windowSeconds: 3600 });

/**
 * Somebody's whole journal, to be read in one go. Its words are read while its pages are taken.
 * Only ever asked for the person themselves.
 */
export async function getBook(
  services: Services,
  { userId, name, timeZone }: Asked,
): Promise<Book> {
  const courses = await findOutline(services.db.read, userId);
  const day = (date: Date) => dateInWords(date, timeZone);
  return { name, days: daysOf(courses, day), pages: pagesOf(services, userId, courses, day) };
}

type Day = (date: Date) => string;

function daysOf(courses: JournalCourseOutline[], day: Day): string | null {
  const dates = courses.flatMap(({ lessons }) => lessons.flatMap(datesOf));
  const times = dates.map((date) => date.getTime()).toSorted((one, other) => one - other);
  const [first, last] = [times[0], times.at(-1)].map((time) =>
    time === undefined ? null : day(new Date(time)),
  );
  return first && last ? (first === last ? first : `${first} to ${last}`) : null;
}

const datesOf = ({ finishedAt, drafts }: LessonOutline): Date[] => [
  ...(finishedAt ? [finishedAt] : []),
  ...drafts.map(({ updatedAt }) => updatedAt),
];

async function* pagesOf(
  services: Services,
  userId: string,
  courses: JournalCourseOutline[],
  day: Day,
) {
  for await (const page of readPages(services, userId, courses))
    yield page.map((course) => chapterOf(course, day));
}

function chapterOf({ id, title, lessons }: JournalCourse, day: Day): BookChapter {
  return {
    id,
    title,
    sections: lessons.map((lesson) => ({
      id: lesson.id,
      title: lesson.title,
      module: lesson.module,
      day: lesson.finishedAt && day(lesson.finishedAt),
      answers: lesson.answers.map(({ question, answer }) => ({ question, answer })),
      unreadable: lesson.unreadable && unreadableMessage(site.email),
      drafts: lesson.drafts.map(({ updatedAt, answers, unreadable }) => ({
        day: day(updatedAt),
        answers,
        unreadable: unreadable && unreadableMessage(site.email),
      })),
    })),
  };
}
