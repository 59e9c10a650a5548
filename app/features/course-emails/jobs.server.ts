import { v5 } from "uuid";
import { z } from "zod";
import { unsubscribeLinks } from "~/features/accounts/email-preferences.server.ts";
import { helpUrl } from "~/features/help/help.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { unsubscribeHeaders } from "~/platform/email/message.ts";
import { sendEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueueOnce } from "~/platform/jobs/outbox.ts";
import { knownZone } from "~/platform/time/words.ts";
import { paragraphsOf } from "~/platform/utils/paragraphs.ts";
import { CourseEmail } from "./emails/course-email.tsx";
import type { Standing } from "./messages.ts";

const kind = "course-email" as const;

/** Enrollments with whether an email of the coach reaches the student: the only rule of it. No join:
 * PostgreSQL would join the whole course for each portion of it. */
export function enrolledStudents(db: Query) {
  return db.selectFrom("enrollments").select(({ selectFrom }) =>
    selectFrom("profiles as student")
      .leftJoin("declinedEmails", (join) =>
        join.onRef("declinedEmails.userId", "=", "student.id").on("declinedEmails.kind", "=", kind),
      )
      .whereRef("student.id", "=", "enrollments.userId")
      .select((is) =>
        is
          .case()
          .when("student.suspendedAt", "is not", null)
          .then("suspended")
          .when("student.deletionDueAt", "is not", null)
          .then("deleting")
          .when("student.emailVerified", "=", false)
          .then("unverified")
          .when("declinedEmails.kind", "is not", null)
          .then("declined")
          .else("reached")
          .end()
          .$castTo<Standing>()
          .as("standing"),
      )
      .as("standing"),
  );
}

/** Sends it to one student. Whether they still get it is read now: the course may have been deleted,
 * the enrollment ended, the account suspended or the email stopped since. */
export const courseEmail = defineJob({
  kind: "course-emails.send",
  label: "Your email to the students of a course",
  priority: "bulk",
  payload: z.object({ emailId: z.string(), userId: z.string() }),
  async run(services, { emailId, userId }, { id }) {
    const { db, log } = services;
    const student = await enrolledStudents(db.read)
      .innerJoin("profiles", "profiles.id", "enrollments.userId")
      .innerJoin("products", "products.id", "enrollments.productId")
      .innerJoin("courseEmails", "courseEmails.productId", "products.id")
      .select(["profiles.name", "profiles.email", "profiles.timeZone"])
      .select(["courseEmails.subject", "courseEmails.body"])
      .where("courseEmails.id", "=", emailId)
      .where("courseEmails.stoppedAt", "is", null)
      .where("products.deletedAt", "is", null)
      .where("enrollments.userId", "=", userId)
      .executeTakeFirst();
    if (student?.standing !== "reached") return;
    const { name, email, subject, body } = student;
    const help = helpUrl(services, knownZone(student.timeZone, services.content.site.timeZone));
    const links = unsubscribeLinks(services, { userId, kind });
    const message = {
      ...{ id, subject, to: { name, address: email } },
      headers: unsubscribeHeaders(links.off),
    };
    await sendEmail(services, message, CourseEmail, {
      paragraphs: paragraphsOf(body),
      links,
      help,
    });
    // The email is sent: a failure here must not send it again.
    await db
      .unsynced((own) =>
        own
          .updateTable("courseEmails")
          .set((is) => ({ sent: is("sent", "+", 1) }))
          .where("id", "=", emailId)
          .execute(),
      )
      .catch((err: unknown) => log.error({ err, row: id }, "an email to a student is not counted"));
  },
});

/** Enqueues an email for each student who was enrolled when it was confirmed. */
export const courseEmailPortions = defineJob({
  kind: "course-emails.enqueue",
  label: "Your email to the students of a course",
  sendsEmail: false,
  priority: "bulk",
  payload: z.object({ emailId: z.string() }),
  async run(services, { emailId }, { signal }) {
    while (await enqueuePortion(services, emailId)) signal.throwIfAborted();
    services.wakeWorker();
  },
});

/** Enrollments looked at in one transaction, so that other writers do not wait long. */
const portion = 500;

/** The namespace of the emails' ids (RFC 9562, version 5): one for each email and student. */
const emailIds = "5c1f6f0e-9a0b-4c3e-8f57-3d8f0a7b1e42";

/** The position moves in the transaction that enqueues: after a crash the next portion is the one
 * that was missing. @returns whether there may be more */
export function enqueuePortion({ db, clock }: Services, emailId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    await lockId(db, trx, emailId);
    const email = await trx
      .selectFrom("courseEmails")
      .select(["productId", "createdAt", "positionAt", "positionId"])
      .where("id", "=", emailId)
      .where("enqueuedAt", "is", null)
      .where("stoppedAt", "is", null)
      .executeTakeFirst();
    if (!email) return false;
    const now = clock.now();
    const { positionAt, positionId } = email;
    const students = await enrolledStudents(trx)
      .select(["enrollments.id", "enrollments.userId", "enrollments.createdAt"])
      .where("enrollments.productId", "=", email.productId)
      .where("enrollments.createdAt", "<=", email.createdAt)
      .$if(positionAt !== null, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple("enrollments.createdAt", "enrollments.id"),
            ">",
            tuple(positionAt ?? now, positionId ?? ""),
          ),
        ),
      )
      .orderBy("enrollments.createdAt")
      .orderBy("enrollments.id")
      .limit(portion)
      .execute();
    const reached = students.filter(({ standing }) => standing === "reached");
    const emails = reached.map(({ userId }) => ({
      id: v5(`${emailId} ${userId}`, emailIds),
      payload: { emailId, userId },
      dueAt: now,
      to: { userId },
    }));
    // What a stop ended without sending is sent after all when the email goes on.
    if (emails.length > 0)
      await trx
        .deleteFrom("outbox")
        .where(
          "id",
          "in",
          emails.map(({ id }) => id),
        )
        .where("finishedAt", "is not", null)
        .where("subject", "is", null)
        .execute();
    await enqueueOnce(trx, courseEmail, emails, now, emailId);
    const last = students.at(-1);
    const isLast = students.length < portion;
    await trx
      .updateTable("courseEmails")
      .set((is) => ({
        recipients: is("recipients", "+", reached.length),
        ...(last && { positionAt: last.createdAt, positionId: last.id }),
        ...(isLast && { enqueuedAt: now }),
      }))
      .where("id", "=", emailId)
      .execute();
    return !isLast;
  });
}
