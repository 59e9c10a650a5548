import { sql } from "kysely";
import { offPath, preferencesPath } from "~/features/accounts/messages.ts";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { mostCounted } from "~/features/courses/rules.ts";
import { requireCourse } from "~/features/enrollments/enrollments.server.ts";
import { helpUrl } from "~/features/help/help.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { keysetPage, mostListed, type Order } from "~/platform/db/keyset.ts";
import { lockId } from "~/platform/db/locks.ts";
import { greetingOf } from "~/platform/email/message.ts";
import { renderEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { paragraphsOf } from "~/platform/utils/paragraphs.ts";
import { CourseEmail } from "./emails/course-email.tsx";
import { courseEmailPortions, enrolledStudents } from "./jobs.server.ts";
import {
  courseEmailMessages,
  mostADay,
  reachedInWords,
  resumableDays,
  type Standing,
  type StudentCounts,
} from "./messages.ts";
import type { CourseEmailFields } from "./schema.ts";

/** How many of the course's first 10,000 students the email reaches, and why it does not others. */
export async function countStudents(db: Query, productId: string): Promise<StudentCounts> {
  const some = enrolledStudents(db)
    .where("enrollments.productId", "=", productId)
    .orderBy("enrollments.createdAt")
    .orderBy("enrollments.id")
    .limit(mostCounted + 1);
  const rows = await db
    .selectFrom(some.as("students"))
    .select(["standing", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("standing")
    .execute();
  const count = (standing: Standing) =>
    Number(rows.find((row) => row.standing === standing)?.count ?? 0);
  return {
    reached: count("reached"),
    declined: count("declined"),
    suspended: count("suspended"),
    deleting: count("deleting"),
    unverified: count("unverified"),
    isMore: rows.reduce((sum, row) => sum + Number(row.count), 0) > mostCounted,
  };
}

export type PreviewedEmail = Awaited<ReturnType<typeof previewCourseEmail>>;

/** The email as it will be sent, addressed to the admin, and whom it reaches. `id` makes sending
 * it idempotent. @throws {Refused} as {@link sendCourseEmail}, but not for a course without students */
export async function previewCourseEmail(
  services: Services,
  { productId, subject, text }: CourseEmailFields,
  name: string,
) {
  const { db, clock, config } = services;
  const course = await requireCourse(db.read, { productId, onlyActive: false });
  await requireRoom(db.read, productId, clock.now());
  const counts = await countStudents(db.read, productId);
  const links = { off: config.appUrl + offPath, preferences: config.appUrl + preferencesPath };
  const help = helpUrl(services, services.content.site.timeZone);
  const paragraphs = paragraphsOf(text);
  const email = CourseEmail({ greeting: greetingOf(name), paragraphs, links, help });
  const { text: written } = await renderEmail(services, email, { wordwrap: false });
  return {
    ...{ id: newId(), course: course.title, subject, counts },
    paragraphs: written.trim().split(/\n{2,}/),
  };
}

const before = (now: Date, days: number) => new Date(now.getTime() - days * 24 * 3600_000);

/** @throws {Refused} rate_limited after too many emails in the last day */
async function requireRoom(db: Query, productId: string, now: Date) {
  const recent = await db
    .selectFrom("courseEmails")
    .select("id")
    .where("productId", "=", productId)
    .where("createdAt", ">", before(now, 1))
    .limit(mostADay)
    .execute();
  if (recent.length >= mostADay) throw new Refused("rate_limited", courseEmailMessages.tooMany);
}

type Sending = CourseEmailFields & { id: string };

/** Sends an email to the students of a course; a job enqueues them. Idempotent for its id, and for
 * the same words within a day: two tabs send one email. @returns whom it reaches; null when it is
 * sent already @throws {Refused} not_found for a deleted course, rate_limited after five emails in a
 * day, invalid when it reaches no student or was stopped and can go on */
export async function sendCourseEmail(
  services: Services,
  { id, productId, subject, text }: Sending,
): Promise<StudentCounts | null> {
  const { db, clock } = services;
  if (!isId(id)) throw new Refused("invalid", courseEmailMessages.failed);
  const counts = await countStudents(db.read, productId);
  const isNew = await db.transaction(async (trx) => {
    await lockId(db, trx, productId);
    const now = clock.now();
    const known = trx.selectFrom("courseEmails").select("id").where("id", "=", id);
    if (await known.executeTakeFirst()) return false;
    const course = await requireCourse(trx, { productId, onlyActive: false });
    const same = await findSame(trx, { productId, subject, text, now });
    if (same?.stoppedAt) throw new Refused("invalid", courseEmailMessages.wasStopped);
    if (same) return false;
    await requireRoom(trx, productId, now);
    if (counts.reached === 0) throw new Refused("invalid", courseEmailMessages.noStudents);
    const values = { id, productId, subject, body: text, createdAt: now };
    await trx.insertInto("courseEmails").values(values).execute();
    await enqueue(trx, courseEmailPortions, { emailId: id }, { now });
    await recordAudit(trx, services, {
      ...{ action: "course.emailed", id: productId, label: `${course.title}: ${subject}` },
      details: { students: reachedInWords(counts) },
    });
    return true;
  });
  if (isNew) services.wakeWorker();
  return isNew ? counts : null;
}

type Words = Omit<Sending, "id"> & { now: Date };

function findSame(trx: Query, { productId, subject, text, now }: Words) {
  return trx
    .selectFrom("courseEmails")
    .select("stoppedAt")
    .where("productId", "=", productId)
    .where("createdAt", ">", before(now, resumableDays))
    .where((is) => is.or([is("createdAt", ">", before(now, 1)), is("stoppedAt", "is not", null)]))
    .where("subject", "=", subject)
    .where("body", "=", text)
    .orderBy("createdAt", "desc")
    .limit(1)
    .executeTakeFirst();
}

const order: Order = {
  column: "courseEmails.createdAt",
  id: "courseEmails.id",
  direction: "desc",
};

export type CourseEmailLine = Awaited<ReturnType<typeof listCourseEmails>>["rows"][number];

/** Emails to students, newest first, with what became of them. Waiting and failed emails are counted
 * up to one more than `mostListed`. */
export async function listCourseEmails(
  { db, clock }: Services,
  at: { cursor: string | null; limit: number },
  timeZone: string,
) {
  const unfinished = (failed: "is" | "is not") =>
    sql<number>`(select count(*) from (select 1 from outbox
      where batch_id = course_emails.id and finished_at is null
      and failed_at ${sql.raw(failed)} null order by failed_at limit ${sql.lit(mostListed + 1)}) as counted)`;
  const query = db.read
    .selectFrom("courseEmails")
    .innerJoin("products", "products.id", "courseEmails.productId")
    .select(["courseEmails.id", "courseEmails.subject", "products.title as course"])
    .select(["courseEmails.createdAt", "courseEmails.enqueuedAt", "courseEmails.stoppedAt"])
    .select(["courseEmails.recipients", "courseEmails.sent"])
    .select([unfinished("is").as("waiting"), unfinished("is not").as("failed")])
    .select("courseEmails.createdAt as sortValue");
  const page = await keysetPage(query, order, at);
  const since = before(clock.now(), resumableDays);
  return {
    ...page,
    rows: page.rows.map(({ sortValue: _, createdAt, enqueuedAt, stoppedAt, ...row }) => {
      const [waiting, failed] = [Number(row.waiting), Number(row.failed)];
      const isGoing = !stoppedAt && (!enqueuedAt || waiting > 0);
      const when = dateAndTime(createdAt, timeZone);
      const isStopped = stoppedAt !== null;
      const canResume = isStopped && createdAt > since;
      return { ...row, waiting, failed, isGoing, isStopped, canResume, when };
    }),
  };
}

export type SentCourseEmail = NonNullable<Awaited<ReturnType<typeof findCourseEmail>>>;

/** What was sent, to read again; null when there is none of that id. */
export async function findCourseEmail({ db }: Services, id: string, timeZone: string) {
  if (!isId(id)) return null;
  const email = await db.read
    .selectFrom("courseEmails")
    .innerJoin("products", "products.id", "courseEmails.productId")
    .select(["productId", "subject", "body as text", "products.title as course"])
    .select("courseEmails.createdAt")
    .where("courseEmails.id", "=", id)
    .executeTakeFirst();
  if (!email) return null;
  const { createdAt, ...rest } = email;
  return { ...rest, paragraphs: paragraphsOf(rest.text), when: dateAndTime(createdAt, timeZone) };
}

/** Stops an email that is going out: who has not got it yet does not get it. @throws {Refused}
 * not_found when nothing of it waits */
export async function stopCourseEmail(services: Services, id: string): Promise<void> {
  const { db, clock } = services;
  await db.transaction(async (trx) => {
    const email = await trx
      .updateTable("courseEmails")
      .set({ stoppedAt: clock.now() })
      .where("id", "=", id)
      .where("stoppedAt", "is", null)
      .where((is) =>
        is.or([
          is("enqueuedAt", "is", null),
          is.exists(
            is
              .selectFrom("outbox")
              .select("outbox.id")
              .whereRef("outbox.batchId", "=", "courseEmails.id")
              .where("outbox.finishedAt", "is", null)
              .where("outbox.failedAt", "is", null),
          ),
        ]),
      )
      .returning(["productId as id", "subject as label"])
      .executeTakeFirst();
    if (!email) throw new Refused("not_found", courseEmailMessages.allGone);
    await recordAudit(trx, services, { action: "course.email-stopped", ...email });
  });
}

/** Goes through the students again, from the first: who has not got a stopped email gets it.
 * @throws {Refused} not_found when it is not stopped, too old, or its course is deleted */
export async function resumeCourseEmail(services: Services, id: string): Promise<void> {
  const { db, clock } = services;
  await db.transaction(async (trx) => {
    const now = clock.now();
    const afresh = { stoppedAt: null, enqueuedAt: null, positionAt: null, positionId: null };
    const email = await trx
      .updateTable("courseEmails")
      .set({ ...afresh, recipients: 0 })
      .where("id", "=", id)
      .where("stoppedAt", "is not", null)
      .where("createdAt", ">", before(now, resumableDays))
      .returning(["productId as id", "subject as label"])
      .executeTakeFirst();
    if (!email) throw new Refused("not_found", courseEmailMessages.notStopped);
    await requireCourse(trx, { productId: email.id, onlyActive: false });
    await enqueue(trx, courseEmailPortions, { emailId: id }, { now });
    await recordAudit(trx, services, { action: "course.email-resumed", ...email });
  });
  services.wakeWorker();
}
