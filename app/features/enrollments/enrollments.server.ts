import { z } from "zod";
import { enqueueToAdmins, findActiveAdmin } from "~/features/accounts/administrators.server.ts";
import { unsubscribeLinks, wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import { findCourse, lessonsOf } from "~/features/courses/courses.server.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { few } from "~/platform/db/people-search.ts";
import { greetingName, unsubscribeHeaders } from "~/platform/email/message.ts";
import { sendEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { dayInWords, knownZone } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { lessonsFrom } from "./access.server.ts";
import { CourseWelcome, NewStudent } from "./emails/enrollments.tsx";
import { enrollmentMessages } from "./messages.ts";
import { openingOf, openingWords } from "./rules.ts";
import { courseBegun, type EnrollmentWay, enrollmentWays, type Offer } from "./schema.ts";

export async function findEnrollment(
  { db }: Services,
  { userId, productId }: { userId: string; productId: string },
) {
  const row = await db.read
    .selectFrom("enrollments")
    .select(["id", "createdAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether so few are enrolled in a course that a list may fetch them all to put them in order. */
export async function hasFewEnrollments(db: Query, productId: string): Promise<boolean> {
  const oneMore = await db
    .selectFrom("enrollments")
    .select("id")
    .where("productId", "=", productId)
    .orderBy("createdAt")
    .orderBy("id")
    .offset(few)
    .limit(1)
    .executeTakeFirst();
  return oneMore === undefined;
}

/** What a course's page offers. It never fails: a missing or inactive course and a failing database
 * are logged (spec 8) and shown as coming soon. Enrolled students keep their access. */
export async function getOffer(
  services: Services,
  { slug, viewer }: { slug: string; viewer: { id: string } | null },
): Promise<Offer> {
  const nothing = { slug, productId: null, course: null, isComingSoon: true, isEnrolled: false };
  try {
    const course = await findCourse(services, slug);
    if (!course?.active) services.log.warn({ slug }, "a course page has no active course");
    if (!course) return { ...nothing, hasFailed: false };
    const whose = { userId: viewer?.id ?? "", productId: course.id };
    return {
      slug,
      productId: course.id,
      course: course.active ? course : null,
      isComingSoon: !course.active || course.comingSoon,
      isEnrolled: viewer !== null && (await findEnrollment(services, whose)) !== null,
      hasFailed: false,
    };
  } catch (error) {
    services.log.error({ err: error, slug }, "the course of a page could not be read");
    return { ...nothing, hasFailed: true };
  }
}

/** The email after every new enrollment (spec 2, Enrollment confirmed: 'check email for access
 * details'). Its content is read when it is sent; nothing is sent if the enrollment has ended. */
export const courseWelcomeEmail = defineJob({
  kind: "enrollments.welcome",
  label: "Welcome to a course",
  payload: z.object({ enrollmentId: z.string() }),
  async run(services, { enrollmentId }, { id }) {
    const { db, clock, config } = services;
    const enrollment = await db.read
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .innerJoin("profiles", "profiles.id", "enrollments.userId")
      .select([lessonsFrom.as("enrolledAt"), "products.id as productId"])
      .select(["products.title as course", "products.slug"])
      .select(["profiles.name", "profiles.email", "profiles.timeZone"])
      .where("enrollments.id", "=", enrollmentId)
      .where("products.deletedAt", "is", null)
      .executeTakeFirst();
    if (!enrollment) return;
    const { productId, course, slug, name, email, timeZone, enrolledAt } = enrollment;
    const lessons = await lessonsOf(db.read, productId).select("lessons.dripDay").execute();
    const now = clock.now();
    const dripDays = lessons.map(({ dripDay }) => dripDay);
    const message = { id, to: { name, address: email }, subject: `Your place in “${course}”` };
    await sendEmail(services, message, CourseWelcome, {
      course,
      opening: openingWords(openingOf(dripDays, enrolledAt, now), (date) =>
        dayInWords(date, now, knownZone(timeZone, services.content.site.timeZone)),
      ),
      link: `${config.appUrl}/courses/${slug}/learn`,
    });
  },
});

/** Tells one administrator of an enrollment without a payment; a sale has an email of its own. */
export const newStudentEmail = defineJob({
  kind: "enrollments.new-student",
  label: "A new student",
  payload: z.object({ enrollmentId: z.string(), userId: z.string(), way: z.enum(enrollmentWays) }),
  async run(services, { enrollmentId, userId, way }, { id }) {
    const { db, config } = services;
    const coach = await findActiveAdmin(db.read, userId);
    if (!coach || !(await wantsEmail(db.read, { userId, kind: "sale" }))) return;
    const enrollment = await db.read
      .selectFrom("enrollments")
      .innerJoin("profiles", "profiles.id", "enrollments.userId")
      .innerJoin("products", "products.id", "enrollments.productId")
      .select(["profiles.id", "profiles.name", "profiles.email", "products.title as course"])
      .where("enrollments.id", "=", enrollmentId)
      .executeTakeFirst();
    if (!enrollment) return;
    const { id: studentId, name, email, course } = enrollment;
    const links = unsubscribeLinks(services, { userId, kind: "sale" });
    const headers = unsubscribeHeaders(links.off);
    const message = { id, to: coach, subject: `A new student in “${course}”`, headers };
    await sendEmail(services, message, NewStudent, {
      who: [greetingName(name), email].filter(Boolean).join(", "),
      ...{ course, way, links },
      link: `${config.appUrl}/admin/students/${studentId}`,
    });
  },
});

type Enrolling = {
  userId: string;
  productId: string;
  /** An inactive course is refused (spec 4: only active ones can be chosen for enrollments). */
  onlyActive?: boolean;
  /** Stripe's id of the payment that opened it; null for one that was given. */
  stripePaymentId?: string | null;
  way?: EnrollmentWay;
};

/** Enrolls a user in a course. Every enrollment is made here. Idempotent: the first date stands.
 * @returns whether the enrollment is new
 * @throws {Refused} not_found for a missing or deleted course, invalid for an inactive one */
export async function enroll(services: Services, enrolling: Enrolling): Promise<boolean> {
  const now = services.clock.now();
  const isNew = await services.db.transaction((trx) => enrollWithin(trx, { ...enrolling, now }));
  if (isNew) services.wakeWorker();
  return isNew;
}

/** {@link enroll} within a transaction. Enqueues the welcome email: wake the worker afterwards. */
export async function enrollWithin(
  trx: Query,
  { userId, productId, onlyActive = false, now, ...from }: Enrolling & { now: Date },
): Promise<boolean> {
  const { stripePaymentId = null, way = "manual" } = from;
  const course = await requireCourse(trx, { productId, onlyActive });
  const id = newId();
  const result = await trx
    .insertInto("enrollments")
    .values({ id, userId, productId, stripePaymentId, createdAt: now })
    .onConflict((conflict) => conflict.columns(["userId", "productId"]).doNothing())
    .executeTakeFirst();
  const isNew = (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (isNew) await enqueue(trx, courseWelcomeEmail, { enrollmentId: id }, { now, to: { userId } });
  if (isNew && !stripePaymentId)
    await enqueueToAdmins(trx, newStudentEmail, { enrollmentId: id, way }, now);
  if (isNew && course.lessonEmails === "lesson")
    await enqueue(trx, courseBegun, { userId, productId }, { now, to: { userId } });
  return isNew;
}

/** @throws {Refused} as {@link enroll} */
export async function requireCourse(
  db: Query,
  { productId, onlyActive }: { productId: string; onlyActive: boolean },
) {
  const course = await db
    .selectFrom("products")
    .select(["title", "active", "lessonEmails"])
    .where("id", "=", productId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!course) throw new Refused("not_found", enrollmentMessages.noSuchCourse);
  if (onlyActive && !course.active) throw new Refused("invalid", enrollmentMessages.onlyActive);
  return course;
}

type Ending = {
  /** The account that ends it, or 'stripe'. */
  removedBy: string;
  /** Null: by hand. */
  reason?: "refunded" | "disputed" | null;
  now: Date;
};

/** Ends an enrollment within the transaction of its cause. Access ends at once; progress and journal
 * stay. The row moves to former_enrollments. @returns false when there is none */
export async function endEnrollmentWithin(
  trx: Query,
  id: string,
  { removedBy, reason = null, now }: Ending,
): Promise<boolean> {
  const row = await trx
    .deleteFrom("enrollments")
    .where("id", "=", id)
    .returning(["id", "userId", "productId", "stripePaymentId", "createdAt", "lessonsFromAt"])
    .executeTakeFirst();
  if (!row) return false;
  await trx
    .insertInto("formerEnrollments")
    .values({ ...row, removedAt: now, removedBy, reason })
    .execute();
  return true;
}

/** Restores an enrollment that a dispute ended, with its first date and days, unless the student was enrolled
 * again or removed by the coach since. @returns whether it was restored */
export async function restoreDisputedWithin(
  trx: Query,
  {
    userId,
    productId,
    stripePaymentId,
  }: Record<"userId" | "productId" | "stripePaymentId", string>,
): Promise<boolean> {
  const former = await trx
    .selectFrom("formerEnrollments")
    .select(["id", "createdAt", "lessonsFromAt", "removedAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("stripePaymentId", "=", stripePaymentId)
    .where("reason", "=", "disputed")
    .orderBy("removedAt", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
  if (!former) return false;
  const { id, createdAt, lessonsFromAt, removedAt } = former;
  const byHand = trx
    .selectFrom("formerEnrollments")
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("reason", "is", null)
    .where("removedAt", ">=", removedAt);
  if (await isAny(byHand)) return false;
  const result = await trx
    .insertInto("enrollments")
    .values({ id, userId, productId, stripePaymentId, createdAt, lessonsFromAt })
    .onConflict((conflict) => conflict.columns(["userId", "productId"]).doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
  await trx.deleteFrom("formerEnrollments").where("id", "=", id).execute();
  return true;
}
