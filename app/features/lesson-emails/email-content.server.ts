import { getOutline } from "~/features/enrollments/access.server.ts";
import { lessonKeys, lessonsInOrder } from "~/features/enrollments/lesson-order.ts";
import { opensAt } from "~/features/enrollments/rules.ts";
import type { Query } from "~/platform/db/database.ts";
import type { LessonEmailSetting } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import type { EmailTree } from "~/platform/markdown/mail.ts";
import { renderEmailTree } from "~/platform/markdown/renderer.ts";
import type { LessonEmailLine } from "./daily-email.server.ts";

/** What an email in which the lesson itself stands shows of it. */
export type LessonWords = {
  /** Null for a lesson without a text. */
  tree: EmailTree | null;
  questions: string[];
  hasVideo: boolean;
  hasAudio: boolean;
};

/** An open lesson as an email names it; `words` where its course sends the lesson itself. */
export type EmailedLesson = { id: string; title: string; link: string; words: LessonWords | null };

/** What an email says of one course. */
export type EmailedCourse = { title: string; lessons: EmailedLesson[] };

type Seat = {
  enrollmentId: string;
  enrolledAt: Date;
  productId: string;
  slug: string;
  title: string;
  lessonEmails: LessonEmailSetting;
};

async function listLines(db: Query, { userId, day }: { userId: string; day: string }) {
  const rows = await accessOfStudents(db, userId)
    .innerJoin("dailyEmailLines", "dailyEmailLines.enrollmentId", "enrollments.id")
    .select("dailyEmailLines.lessonId")
    .where("dailyEmailLines.day", "=", day)
    .orderBy("enrollments.createdAt")
    .orderBy("enrollments.id")
    .execute();
  return [...Map.groupBy(rows, ({ enrollmentId }) => enrollmentId).values()].map((lines) => {
    const { lessonId: _, ...seat } = lines[0] as (typeof lines)[number];
    return { seat, lessonIds: lines.map(({ lessonId }) => lessonId) };
  });
}

function accessOfStudents(db: Query, userId: string) {
  return db
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.id as enrollmentId", "enrollments.createdAt as enrolledAt"])
    .select([
      "products.id as productId",
      "products.slug",
      "products.title",
      "products.lessonEmails",
    ])
    .where("enrollments.userId", "=", userId)
    .where("products.deletedAt", "is", null);
}

/**
 * What the email of a day says: of the lessons that were written down for it, those that are open
 * now and not completed, in courses that still send emails. `later` are those that turn out to be
 * locked: their day was changed.
 */
export async function readDailyEmail(
  services: Services,
  { userId, timeZone, day }: { userId: string; timeZone: string | null; day: string },
): Promise<{ courses: EmailedCourse[]; later: LessonEmailLine[] }> {
  const courses: EmailedCourse[] = [];
  const later: LessonEmailLine[] = [];
  for (const { seat, lessonIds } of await listLines(services.db.read, { userId, day })) {
    if (seat.lessonEmails === "off") continue;
    const asked = new Set(lessonIds);
    const { open, locked } = await lessonsWithAccess(services, userId, seat, ({ id }) =>
      asked.has(id),
    );
    if (open.length > 0) courses.push({ title: seat.title, lessons: open });
    for (const { id, dripDay } of locked)
      later.push({
        userId,
        timeZone,
        enrollmentId: seat.enrollmentId,
        lessonIds: [id],
        notBefore: opensAt(dripDay, seat.enrolledAt),
      });
  }
  return { courses, later };
}

/** The lessons that a course opens with, for somebody who has just enrolled; null where it sends none. */
export async function readFirstLessons(
  services: Services,
  { userId, productId }: { userId: string; productId: string },
): Promise<EmailedCourse | null> {
  const seat = await accessOfStudents(services.db.read, userId)
    .where("products.id", "=", productId)
    .executeTakeFirst();
  if (seat?.lessonEmails !== "lesson") return null;
  const isFirst = ({ dripDay }: { dripDay: number }) => dripDay === 0;
  const { open } = await lessonsWithAccess(services, userId, seat, isFirst);
  return open.length > 0 ? { title: seat.title, lessons: open } : null;
}

/** The lessons that are asked for, in order: those to tell of, and those that are locked. */
async function lessonsWithAccess(
  services: Services,
  userId: string,
  { productId, enrolledAt, slug, lessonEmails }: Seat,
  isAsked: (lesson: { id: string; dripDay: number }) => boolean,
) {
  const outline = await getOutline(services, { userId, productId, enrolledAt });
  const keyOf = lessonKeys(outline);
  const asked = lessonsInOrder(outline).filter((lesson) => isAsked(lesson) && !lesson.isCompleted);
  const open: EmailedLesson[] = [];
  for (const lesson of asked.filter(({ isLocked }) => !isLocked)) {
    const key = encodeURIComponent(keyOf(lesson));
    const link = `${services.config.appUrl}/courses/${slug}/learn?lesson=${key}`;
    const words = lessonEmails === "lesson" ? await lessonWords(services, lesson.id) : null;
    open.push({ id: lesson.id, title: lesson.title, link, words });
  }
  return { open, locked: asked.filter(({ isLocked }) => isLocked) };
}

/** Only for lessons that the outline calls open. */
async function lessonWords(
  { db, config, log }: Services,
  lessonId: string,
): Promise<LessonWords | null> {
  const { content, ...lesson } = await db.read
    .selectFrom("lessons")
    .select(["content", "prompts", "muxPlaybackId", "audioKey"])
    .where("id", "=", lessonId)
    .executeTakeFirstOrThrow();
  try {
    return {
      tree: content.trim() === "" ? null : await renderEmailTree(content, config.appUrl),
      questions: (lesson.prompts ?? []).map(({ question }) => question),
      hasVideo: lesson.muxPlaybackId !== null,
      hasAudio: lesson.audioKey !== null,
    };
  } catch (err) {
    // Their other lessons are not to wait for this one: it is told by its name.
    log.error({ err, lesson: lessonId }, "a lesson's text cannot be made into an email");
    return null;
  }
}
