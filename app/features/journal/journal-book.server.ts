import { withinLimit } from "~/platform/db/rate-limit.ts";
import { limitConcurrency } from "~/platform/http/limits.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateInWords, namedUtc } from "~/platform/time/words.ts";
import { findOutline, readPages } from "./entries.server.ts";
import type { Book, BookChapter } from "./journal-book.ts";
import { unreadableMessage } from "./journal-page-messages.ts";
import { shownPhotograph } from "./photograph-messages.ts";
import type { JournalCourse, JournalCourseOutline } from "./schema.ts";

/** Books, files and exports that are being made: a whole journal is read for each. */
export const runningCopies = limitConcurrency({ each: 2, all: 6 });

/** @returns whether somebody may have their whole journal once more within the hour */
export const canStartCopy = (services: Services, userId: string): Promise<boolean> =>
  withinLimit(services, { what: "journal-copy", whose: userId, max: 30, windowSeconds: 3600 });

type Day = (date: Date) => string;

/** A user's own whole journal. Its text is read while its pages are taken. */
export async function getBook(
  services: Services,
  { userId, name, timeZone }: { userId: string; name: string; timeZone: string },
): Promise<Book> {
  const courses = await findOutline(services.db.read, userId);
  const plain = (date: Date) => dateInWords(date, timeZone);
  const day = (date: Date) => namedUtc(plain(date), timeZone);
  const unreadable = unreadableMessage(services.content.site.email);
  const days = daysOf(courses, plain);
  async function* pages() {
    for await (const page of readPages(services, userId, courses))
      yield page.map((course) => chapterOf(course, day, unreadable));
  }
  return { name, days: days && namedUtc(days, timeZone), pages: pages() };
}

function daysOf(courses: JournalCourseOutline[], day: Day): string | null {
  const times = courses
    .flatMap(({ lessons }) => lessons)
    .flatMap(({ finishedAt, drafts, photographs }) => [
      finishedAt,
      ...drafts.map((draft) => draft.updatedAt),
      ...photographs.map((picture) => picture.createdAt),
    ])
    .flatMap((date) => (date ? [date.getTime()] : []));
  if (times.length === 0) return null;
  const [first, last] = [Math.min(...times), Math.max(...times)].map((time) => day(new Date(time)));
  return first === last ? `${first}` : `${first} to ${last}`;
}

function chapterOf({ id, title, lessons }: JournalCourse, day: Day, message: string): BookChapter {
  const orMessage = (isUnreadable: boolean) => isUnreadable && message;
  return {
    id,
    title,
    sections: lessons.map(({ finishedAt, unreadable, drafts, photographs, ...lesson }) => ({
      ...{ id: lesson.id, title: lesson.title, module: lesson.module },
      day: finishedAt && day(finishedAt),
      answers: lesson.answers,
      photographs: photographs.map((picture) => shownPhotograph(picture, day)),
      unreadable: orMessage(unreadable),
      drafts: drafts.map((draft) => ({
        day: day(draft.updatedAt),
        answers: draft.answers,
        unreadable: orMessage(draft.unreadable),
      })),
    })),
  };
}
