import { createElement } from "react";
import { z } from "zod";
import { unsubscribeLinks, wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import { getOutline, lessonsFrom } from "~/features/enrollments/access.server.ts";
import { whatComesNext } from "~/features/enrollments/lesson-order.ts";
import { courseBegun } from "~/features/enrollments/schema.ts";
import { helpUrl } from "~/features/help/help.server.ts";
import { MailServerAway } from "~/platform/email/mail.ts";
import { greetingOf, receiver, unsubscribeHeaders } from "~/platform/email/message.ts";
import { renderEmail, sendEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { rescheduleJob } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { localHour, nextMorning } from "~/platform/time/morning.ts";
import { dayInWords, knownZone } from "~/platform/time/words.ts";
import {
  announceLessons,
  claimDailyEmail,
  type EmailedCourse,
  type EmailedLesson,
  readFirstLessons,
  releaseDailyEmail,
} from "./email-content.server.ts";
import { LessonsOpened, ModuleCompleted } from "./emails/lesson-emails.tsx";
import { planLessonEmails } from "./lesson-schedule.server.ts";
import { isMorning, lessonEmailKind, morning, subjectOf } from "./rules.ts";

const kind = "lesson-opened" as const;

/** The email of a morning: which lessons have opened, or the lessons themselves (spec 2, 7 Days of
 * Calm). What it says, and whether it is still wanted, is read when it is sent: a lesson that is
 * completed, deleted or locked again is not in it, and without any there is no email. */
export const lessonsOpenedEmail = defineJob({
  kind: lessonEmailKind,
  label: "A lesson has opened",
  priority: "bulk",
  payload: z.object({ userId: z.string(), day: z.string() }),
  async run(services, { userId, day }, { id }) {
    const { db, clock } = services;
    const student = await findReader(services, userId);
    if (!student) return;
    const now = clock.now();
    const here = localHour(now, student.timeZone);
    if (!isMorning(here)) {
      const { at: dueAt } = nextMorning(now, student.timeZone, morning.from);
      return rescheduleJob(db.write, id, { payload: { userId, day }, dueAt, now });
    }
    const email = { id, userId, day, today: here.day };
    const { courses, isRetry } = await claimDailyEmail(services, email);
    if (courses.length === 0) return;
    try {
      await send(services, { id, student, courses });
    } catch (error) {
      if (error instanceof MailServerAway && !isRetry) await releaseDailyEmail(services, email);
      throw error;
    }
  },
});

/** In courses that send their lessons, those that are open from the start come with the enrollment. */
export const firstLessonsEmail = defineJob({
  ...courseBegun,
  label: "First lesson of a course",
  async run(services, { userId, productId }, { id }) {
    const student = await findReader(services, userId);
    const first = student && (await readFirstLessons(services, { userId, productId }));
    if (!student || !first) return;
    const { course, enrollmentId } = first;
    await send(services, { id, student, courses: [course] });
    const { day } = localHour(services.clock.now(), student.timeZone);
    const announced = course.lessons.map((lesson) => ({
      ...{ enrollmentId, lessonId: lesson.id },
      ...{ emailId: id, day },
    }));
    // The email is sent: a failure here must not send it again.
    await announceLessons(services.db.write, announced).catch((err: unknown) =>
      services.log.error({ err, row: id }, "an email of first lessons is not counted"),
    );
  },
});

/** Enqueues the lesson emails of the coming hour. */
export const scheduleLessonEmails: RegularTask = {
  name: "lesson-emails.plan",
  async run(services) {
    await planLessonEmails(services);
  },
};

type Student = { id: string; name: string; email: string; timeZone: string };

/** Whom to write to; null when the account is gone or wants no such emails. */
async function findReader({ db, content }: Services, userId: string): Promise<Student | null> {
  if (!(await wantsEmail(db.read, { userId, kind }))) return null;
  const student = await db.read
    .selectFrom("profiles")
    .select(["id", "name", "email", "timeZone"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return student
    ? { ...student, timeZone: knownZone(student.timeZone, content.site.timeZone) }
    : null;
}

type Sending = { id: string; student: Student; courses: EmailedCourse[] };

async function send(services: Services, { id, student, courses }: Sending): Promise<void> {
  const links = unsubscribeLinks(services, { userId: student.id, kind });
  const always = {
    greeting: greetingOf(student.name),
    links,
    help: helpUrl(services, student.timeZone),
  };
  const render = (announced: EmailedCourse[]) =>
    renderEmail(services, createElement(LessonsOpened, { ...always, courses: announced }));
  const body = await render(courses).catch(async () =>
    render(await withoutWordsThatFail(services, courses, render)),
  );
  await services.mail.send({
    id,
    to: receiver(student.name, student.email),
    subject: subjectOf(courses),
    headers: unsubscribeHeaders(links.off),
    ...body,
  });
}

/** Only the name and the link of lessons whose words no email can be made of. */
function withoutWordsThatFail(
  { log }: Services,
  courses: EmailedCourse[],
  render: (courses: EmailedCourse[]) => Promise<unknown>,
): Promise<EmailedCourse[]> {
  const attempt = async (course: EmailedCourse, lesson: EmailedLesson) => {
    try {
      await render([{ ...course, lessons: [lesson] }]);
      return lesson;
    } catch (err) {
      log.error({ err, lesson: lesson.id }, "a lesson's text cannot be made into an email");
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

type Completed = { userId: string; moduleId: string };

/** About an hour after a module was completed: which module, and what comes next; never a word of
 * the journal. Everything is read when it is sent, which may be days later: without the course, the
 * enrollment or the wish for such emails, there is nothing to send. */
export const moduleCompletedEmail = defineJob({
  kind: "learning.module-completed",
  label: "Module completed",
  priority: "bulk",
  payload: z.object({ userId: z.string(), moduleId: z.string() }),
  async run(services, { userId, moduleId }, { id }) {
    const { db, config, clock } = services;
    const addressed = { userId, kind: "module-completed" } as const;
    if (!(await wantsEmail(db.read, addressed))) return;
    const completed = await readCompleted(services, { userId, moduleId });
    if (!completed) return;
    const { name, email, timeZone, module, course, slug, productId, enrolledAt } = completed;
    const zone = knownZone(timeZone, services.content.site.timeZone);
    const outline = await getOutline(services, { userId, productId, enrolledAt });
    const next = whatComesNext(outline, moduleId, enrolledAt);
    const opens =
      next.kind === "module" && next.opensAt ? dayInWords(next.opensAt, clock.now(), zone) : null;
    const links = unsubscribeLinks(services, addressed);
    const headers = unsubscribeHeaders(links.off);
    const to = { name, address: email };
    const message = { id, to, subject: `You finished “${module}”`, headers };
    await sendEmail(services, message, ModuleCompleted, {
      module,
      course,
      next: next.kind === "module" ? { kind: next.kind, title: next.title, opens } : next,
      link: `${config.appUrl}/courses/${slug}/learn`,
      links,
      help: helpUrl(services, zone),
    });
  },
});

function readCompleted({ db }: Services, { userId, moduleId }: Completed) {
  return db.read
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .innerJoin("enrollments", "enrollments.productId", "products.id")
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .select(["profiles.name", "profiles.email", "profiles.timeZone"])
    .select(["modules.title as module", "modules.productId", "products.title as course"])
    .select(["products.slug", lessonsFrom.as("enrolledAt")])
    .where("modules.id", "=", moduleId)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null)
    .where("profiles.id", "=", userId)
    .executeTakeFirst();
}
