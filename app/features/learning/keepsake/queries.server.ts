import type { Services } from "~/platform/services.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { readJournal } from "../journal/queries.server.ts";
import type { JournalCourse, JournalLesson } from "../journal/schema.ts";
import { cannotBeRead } from "../journal/texts.ts";
import type { Book } from "./schema.ts";

type Asked = { userId: string; name: string; timeZone: string };

/** Somebody's whole journal, to be read in one go. Only ever asked for herself. */
export async function getBook(
  services: Services,
  { userId, name, timeZone }: Asked,
): Promise<Book> {
  return bookOf(await readJournal(services, userId), { name, timeZone });
}

function bookOf(
  courses: JournalCourse[],
  { name, timeZone }: Pick<Asked, "name" | "timeZone">,
): Book {
  const day = (date: Date) => dateInWords(date, timeZone);
  const dates = courses.flatMap(({ lessons }) => lessons.flatMap(datesOf));
  const times = dates.map((date) => date.getTime()).toSorted((one, other) => one - other);
  const [first, last] = [times[0], times.at(-1)].map((time) =>
    time === undefined ? null : day(new Date(time)),
  );
  return {
    name,
    days: first && last ? (first === last ? first : `${first} to ${last}`) : null,
    chapters: courses.map(({ id, title, lessons }) => ({
      id,
      title,
      sections: lessons.map((lesson) => ({
        id: lesson.id,
        title: lesson.title,
        module: lesson.module,
        day: lesson.finishedAt && day(lesson.finishedAt),
        answers: lesson.answers.map(({ question, answer }) => ({ question, answer })),
        unreadable: lesson.unreadable && cannotBeRead(site.email),
        drafts: lesson.drafts.map(({ updatedAt, answers, unreadable }) => ({
          day: day(updatedAt),
          answers,
          unreadable: unreadable && cannotBeRead(site.email),
        })),
      })),
    })),
  };
}

const datesOf = ({ finishedAt, drafts }: JournalLesson): Date[] => [
  ...(finishedAt ? [finishedAt] : []),
  ...drafts.map(({ updatedAt }) => updatedAt),
];
