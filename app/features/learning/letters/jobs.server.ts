import { z } from "zod";
import {
  letterHeaders,
  letterLinks,
  wantsLetter,
} from "~/features/accounts/letters/queries.server.ts";
import { courseBegun } from "~/features/enrollments/schema.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { MailServerAway } from "~/platform/mail/mail.ts";
import { renderMail } from "~/platform/mail/render.ts";
import type { Services } from "~/platform/services.ts";
import { localHour } from "~/platform/time/morning.ts";
import { site } from "~content/site.ts";
import { forgetLetters } from "../mornings/commands.server.ts";
import { planLessonLetters } from "../openings/commands.server.ts";
import {
  closeLetter,
  countAsLetterOfDay,
  letterIsLate,
  postponeLines,
  reopenLetter,
} from "./commands.server.ts";
import { LessonsOpened } from "./emails/lessons-opened.tsx";
import {
  readFirstLessons,
  readLetter,
  type ToldCourse,
  type ToldLesson,
} from "./queries.server.ts";
import { isItsMorning, isMorning, subjectOf } from "./rules.ts";
import { lessonLetterKind } from "./texts.ts";

const kind = "lesson-opened" as const;

/**
 * The letter of a morning: which lessons have opened, or the lessons themselves (spec 2, 7 Days of
 * Calm). What it says, and whether she still wants it, is read when it is sent: a lesson that is
 * completed, deleted or locked again is not in it, and without any there is no letter.
 */
export const lessonLetter = defineJob({
  kind: lessonLetterKind,
  label: "A lesson has opened",
  bulk: true,
  payload: z.object({ userId: z.string(), day: z.string() }),
  async run(services, { userId, day }, { id }) {
    const student = await reader(services, userId);
    if (!student) return;
    const { timeZone } = student;
    const here = hereOf(services.clock.now(), timeZone);
    const letter = { id, userId, day, timeZone, isMorning: isMorning(here) };
    if (!isItsMorning(day, here) && !(await letterIsLate(services, letter))) return;
    const { isOurs, isTriedAgain } = await closeLetter(services, { id, userId, day });
    if (!isOurs) return;
    const { courses, later } = await readLetter(services, { userId, timeZone, day });
    if (later.length > 0) await postponeLines(services, later);
    if (courses.length === 0) return;
    try {
      await send(services, { id, student, courses });
    } catch (error) {
      if (error instanceof MailServerAway && !isTriedAgain)
        await reopenLetter(services, { id, userId, day });
      throw error;
    }
  },
});

/** In courses that send their lessons, those that are open from the start come with the enrollment. */
export const firstLessonsLetter = defineJob({
  ...courseBegun,
  label: "First lesson of a course",
  async run(services, { userId, productId }, { id }) {
    const student = await reader(services, userId);
    const course = student && (await readFirstLessons(services, { userId, productId }));
    if (!student || !course) return;
    await send(services, { id, student, courses: [course] });
    const { day } = hereOf(services.clock.now(), student.timeZone);
    // It has gone out: it must not go again for want of this.
    await countAsLetterOfDay(services, { id, userId, day }).catch((err: unknown) =>
      services.log.error({ err, row: id }, "a letter of first lessons is not counted"),
    );
  },
});

/** Writes down the letters about lessons that open before the next look. */
export const planLetters: RegularTask = {
  name: "learning.plan-letters",
  async run(services) {
    await planLessonLetters(services);
  },
};

/** What was said in which letter is of no use a month later. */
export const forgetLessonLetters: RegularTask = {
  name: "learning.forget-letters",
  run: forgetLetters,
};

type Student = { id: string; name: string; email: string; timeZone: string | null };

/** Whom to write to; null when the account is gone or wants no such letters. */
async function reader({ db }: Services, userId: string): Promise<Student | null> {
  if (!(await wantsLetter(db.read, { userId, kind }))) return null;
  const student = await db.read
    .selectFrom("profiles")
    .select(["id", "name", "email", "timeZone"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return student ?? null;
}

/** Another machine may know other zones than the one that kept hers. */
function hereOf(now: Date, timeZone: string | null) {
  try {
    return localHour(now, timeZone ?? site.timeZone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return localHour(now, site.timeZone);
  }
}

type Sending = { id: string; student: Student; courses: ToldCourse[] };

async function send(services: Services, { id, student, courses }: Sending): Promise<void> {
  const addressed = { userId: student.id, kind };
  const links = letterLinks(services, addressed);
  const render = (told: ToldCourse[]) =>
    renderMail(LessonsOpened({ greeting: greetingOf(student.name), courses: told, links }));
  const body = await render(courses).catch(async () =>
    render(await withoutWordsThatFail(services, courses, render)),
  );
  await services.mail.send({
    id,
    to: receiver(student.name, student.email),
    subject: subjectOf(courses),
    headers: letterHeaders(services, addressed),
    ...body,
  });
}

/** Of lessons whose words no letter can be made of, the name and the link: the others are not to wait for them. */
function withoutWordsThatFail(
  { log }: Services,
  courses: ToldCourse[],
  render: (courses: ToldCourse[]) => Promise<unknown>,
): Promise<ToldCourse[]> {
  const attempt = async (course: ToldCourse, lesson: ToldLesson) => {
    try {
      await render([{ ...course, lessons: [lesson] }]);
      return lesson;
    } catch (err) {
      log.error({ err, lesson: lesson.id }, "a lesson's words cannot be made into a letter");
      return { ...lesson, words: null };
    }
  };
  return Promise.all(
    courses.map(async (course) => ({
      ...course,
      lessons: await Promise.all(course.lessons.map((lesson) => attempt(course, lesson))),
    })),
  );
}
