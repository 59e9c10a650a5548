import type { Selectable } from "kysely";
import { getOutline, lessonsFrom } from "~/features/enrollments/access.server.ts";
import { lessonKeys, lessonsInOrder } from "~/features/enrollments/lesson-order.ts";
import { type Lesson, opensAt } from "~/features/enrollments/rules.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { renderEmailTree } from "~/platform/markdown/renderer.ts";

/** An open lesson as an email names it; `words` where its course sends the lesson itself. `files`: how
 * many there are to download. */
export type EmailedLesson = {
  id: string;
  title: string;
  link: string;
  files: number;
  words: LessonWords | null;
};

/** What an email says of one course. */
export type EmailedCourse = { title: string; lessons: EmailedLesson[] };

function accessOfStudents(db: Query, userId: string) {
  return db
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.id as enrollmentId", lessonsFrom.as("enrolledAt")])
    .select(["products.id as productId", "products.slug", "products.title"])
    .select("products.lessonEmails")
    .where("enrollments.userId", "=", userId)
    .where("products.deletedAt", "is", null);
}

type Access = Awaited<ReturnType<ReturnType<typeof accessOfStudents>["execute"]>>[number];

/** A lesson that opened longer before the day of the email is not announced. */
const longestMs = 4 * 24 * 3600_000;

export type DailyEmail = {
  /** Its row in the outbox. */
  id: string;
  userId: string;
  /** The day that it was planned for. */
  day: string;
  /** The student's day now. */
  today: string;
};

/** What an email announces: the lessons that are open and not completed. The first time, these are
 * all that have opened lately and that no email has announced, unless the student had another email
 * today. They are stored, so that each is announced once. A retry names the same lessons again. */
export async function claimDailyEmail(
  services: Services,
  { id: emailId, userId, day, today }: DailyEmail,
): Promise<{ courses: EmailedCourse[]; isRetry: boolean }> {
  const { db } = services;
  const before = await listAnnounced(db.write, userId);
  const isRetry = before.some((one) => one.emailId === emailId);
  if (!isRetry && before.some((one) => one.day === today)) return { courses: [], isRetry };
  const accesses = await accessOfStudents(db.write, userId)
    .where("products.lessonEmails", "!=", "off")
    .orderBy("enrollments.createdAt")
    .orderBy("enrollments.id")
    .execute();
  const since = Date.parse(day) - longestMs;
  const outlines = await Promise.all(
    accesses.map(async (access) => ({
      access,
      lessons: await outlineOf(services, userId, access),
    })),
  );
  if (!isRetry)
    await announceLessons(
      db.write,
      outlines.flatMap(({ access: { enrollmentId, enrolledAt }, lessons }) =>
        lessons
          .filter(({ dripDay, isLocked }) => dripDay > 0 && !isLocked)
          .filter(({ dripDay }) => opensAt(dripDay, enrolledAt).getTime() > since)
          .map(({ id }) => ({ enrollmentId, lessonId: id, emailId, day: today })),
      ),
    );
  const own = (isRetry ? before : await listAnnounced(db.write, userId))
    .filter((one) => one.emailId === emailId)
    .map(({ enrollmentId, lessonId }) => `${enrollmentId} ${lessonId}`);
  const announced = new Set(own);
  const courses: EmailedCourse[] = [];
  for (const { access, lessons } of outlines) {
    const named = lessons.filter(({ id }) => announced.has(`${access.enrollmentId} ${id}`));
    const open = await emailedLessons(services, access, named);
    if (open.length > 0) courses.push({ title: access.title, lessons: open });
  }
  return { courses, isRetry };
}

/** What was announced to a user: at most the lessons of their courses. */
function listAnnounced(db: Query, userId: string): Promise<AnnouncedLesson[]> {
  return db
    .selectFrom("announcedLessons")
    .innerJoin("enrollments", "enrollments.id", "announcedLessons.enrollmentId")
    .selectAll("announcedLessons")
    .where("enrollments.userId", "=", userId)
    .execute();
}

type AnnouncedLesson = Selectable<Tables["announcedLessons"]>;

/** Stores which lessons an email announces; those of another email stay with it. */
export async function announceLessons(db: Query, lessons: AnnouncedLesson[]): Promise<void> {
  if (lessons.length === 0) return;
  await db
    .insertInto("announcedLessons")
    .values(lessons)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The email certainly did not arrive: its lessons are for the next one. */
export async function releaseDailyEmail({ db }: Services, { id, userId }: DailyEmail) {
  await db.write
    .deleteFrom("announcedLessons")
    .where("emailId", "=", id)
    .where(
      "enrollmentId",
      "in",
      db.write.selectFrom("enrollments").select("id").where("userId", "=", userId),
    )
    .execute();
}

/** The lessons that a course opens with, for a new student; null where it sends none. */
export async function readFirstLessons(
  services: Services,
  { userId, productId }: { userId: string; productId: string },
): Promise<{ course: EmailedCourse; enrollmentId: string } | null> {
  const access = await accessOfStudents(services.db.read, userId)
    .where("products.id", "=", productId)
    .executeTakeFirst();
  if (access?.lessonEmails !== "lesson") return null;
  const lessons = await outlineOf(services, userId, access);
  const first = lessons.filter(({ dripDay }) => dripDay === 0);
  const open = await emailedLessons(services, access, first);
  const { title, enrollmentId } = access;
  return open.length > 0 ? { course: { title, lessons: open }, enrollmentId } : null;
}

type NamedLesson = Lesson & { key: string };

async function outlineOf(
  services: Services,
  userId: string,
  { productId, enrolledAt }: Access,
): Promise<NamedLesson[]> {
  const outline = await getOutline(services, { userId, productId, enrolledAt });
  const keyOf = lessonKeys(outline);
  return lessonsInOrder(outline).map((lesson) => ({ ...lesson, key: keyOf(lesson) }));
}

/** Those of the lessons that the student can open and has not completed. */
async function emailedLessons(
  services: Services,
  { slug, lessonEmails }: Access,
  lessons: NamedLesson[],
): Promise<EmailedLesson[]> {
  const open = lessons.filter(({ isLocked, isCompleted }) => !isLocked && !isCompleted);
  const files = await countFiles(services.db.read, open);
  return Promise.all(
    open.map(async ({ id, title, key }) => ({
      id,
      title,
      link: `${services.config.appUrl}/courses/${slug}/learn?lesson=${encodeURIComponent(key)}`,
      files: files.get(id) ?? 0,
      words: lessonEmails === "lesson" ? await lessonWords(services, id) : null,
    })),
  );
}

/** How many downloads each lesson has that has any. */
async function countFiles(db: Query, lessons: { id: string }[]): Promise<Map<string, number>> {
  if (lessons.length === 0) return new Map();
  const ids = lessons.map(({ id }) => id);
  const rows = await db
    .selectFrom("lessonFiles")
    .select(({ fn }) => ["lessonId", fn.countAll<number>().as("files")])
    .where("lessonId", "in", ids)
    .groupBy("lessonId")
    .execute();
  return new Map(rows.map(({ lessonId, files }) => [lessonId, Number(files)]));
}

/** Only for lessons that the outline calls open. */
async function lessonWords({ db, config, log }: Services, lessonId: string) {
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
    // The other lessons do not wait for this one: it is only named.
    log.error({ err, lesson: lessonId }, "a lesson's text cannot be made into an email");
    return null;
  }
}

/** What an email in which the lesson itself stands shows of it; `tree` is null without a text. */
export type LessonWords = NonNullable<Awaited<ReturnType<typeof lessonWords>>>;
