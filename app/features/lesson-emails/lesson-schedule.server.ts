import { type SqlBool, sql } from "kysely";
import { v5 } from "uuid";
import type { EmailKind } from "~/features/accounts/messages.ts";
import { lessonsFrom } from "~/features/enrollments/access.server.ts";
import { opensAt } from "~/features/enrollments/rules.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueueOnce } from "~/platform/jobs/outbox.ts";
import { type Morning, nextMorning } from "~/platform/time/morning.ts";
import { knownZone } from "~/platform/time/words.ts";
import { lessonEmailKind, morning } from "./rules.ts";

const hourMs = 3600_000;
/** A lesson that opened earlier is not announced any more, whatever the reason. */
const announcedForMs = 3 * 24 * hourMs;
/** Emails are enqueued in the hour before they are due, so that they leave at eight. */
const aheadMs = hourMs;
const pageSize = 500;

/** Lessons of one course that open on one day. */
type LessonGroup = { productId: string; dripDay: number; lessonIds: string[] };

/** Enqueues the lesson emails of the coming hour: one for each student and morning, when a lesson
 * has opened for them that no email has named. Runs every hour, on several machines at once if need
 * be: the email's id is made of its student and day. What it names is read when it is sent.
 * @returns how many emails were due */
export async function planLessonEmails(services: Services): Promise<number> {
  let due = 0;
  for (const group of await listGroups(services.db.read))
    try {
      due += await planGroup(services, group);
    } catch (err) {
      // The other lessons do not wait for it: it is tried again in an hour.
      services.log.error({ err, lessons: group.lessonIds }, "lesson emails could not be scheduled");
    }
  return due;
}

async function listGroups(db: Query): Promise<LessonGroup[]> {
  const lessons = await db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["lessons.id", "lessons.dripDay", "modules.productId"])
    .where("lessons.dripDay", ">", 0)
    .where("lessons.deletedAt", "is", null)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null)
    .where("products.lessonEmails", "!=", "off")
    .execute();
  const groups = Map.groupBy(lessons, ({ productId, dripDay }) => `${productId} ${dripDay}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, lessonIds: group.map(({ id }) => id) }] : [];
  });
}

async function planGroup({ db, clock, content }: Services, group: LessonGroup): Promise<number> {
  const now = clock.now();
  const morningIn = morningFinder(now, content.site.timeZone);
  let due = 0;
  let after: Student | null = null;
  for (;;) {
    const students: Student[] = await nextStudents(db.read, group, { now, after });
    const emails = students.flatMap(({ userId, timeZone, enrolledAt }) => {
      const { at, day } = morningIn(timeZone);
      if (at.getTime() > now.getTime() + aheadMs || opensAt(group.dripDay, enrolledAt) > at)
        return [];
      const id = v5(`${userId} ${day}`, emailIds);
      const dueAt = new Date(Math.max(at.getTime(), now.getTime()));
      return [{ id, payload: { userId, day }, dueAt, to: { userId } }];
    });
    const hadOne = await listReached(db.read, emails);
    const missing = emails.filter(
      ({ payload: { userId, day } }) => !hadOne.has(`${userId} ${day}`),
    );
    await enqueueOnce(db.write, { kind: lessonEmailKind }, missing, now);
    due += missing.length;
    after = students.at(-1) ?? null;
    if (students.length < pageSize) return due;
  }
}

/** The namespace of the emails' ids (RFC 9562, version 5). */
const emailIds = "0b1f3c52-5e0b-4f0a-9a54-2a1a6d6c7f10";

/** The morning that is now, or the next one. */
function morningFinder(now: Date, coachZone: string): (timeZone: string | null) => Morning {
  const since = new Date(now.getTime() - (morning.until - morning.from) * hourMs + 1);
  const known = new Map<string | null, Morning>();
  return (timeZone) => {
    const found =
      known.get(timeZone) ?? nextMorning(since, knownZone(timeZone, coachZone), morning.from);
    known.set(timeZone, found);
    return found;
  };
}

const kind: EmailKind = "lesson-opened";

type Student = { id: string; userId: string; enrolledAt: Date; timeZone: string | null };

/** Students for whom the group has opened or opens within the hour, and to whom no email has named
 * one of its lessons; in the order in which their days began. */
function nextStudents(
  db: Query,
  { productId, dripDay, lessonIds }: LessonGroup,
  { now, after }: { now: Date; after: Student | null },
): Promise<Student[]> {
  const openedBy = opensAt(-dripDay, now).getTime();
  return db
    .selectFrom("enrollments")
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .select(["enrollments.id", "enrollments.userId", "profiles.timeZone"])
    .select(lessonsFrom.as("enrolledAt"))
    .where("enrollments.productId", "=", productId)
    .where(lessonsFrom, ">", new Date(openedBy - announcedForMs))
    .where(lessonsFrom, "<=", new Date(openedBy + aheadMs))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("declinedEmails")
            .select("kind")
            .whereRef("declinedEmails.userId", "=", "enrollments.userId")
            .where("declinedEmails.kind", "=", kind),
        ),
      ),
    )
    .where(
      ({ selectFrom }) =>
        selectFrom("announcedLessons")
          .select(({ fn }) => fn.countAll<number>().as("announced"))
          .whereRef("announcedLessons.enrollmentId", "=", "enrollments.id")
          .where("announcedLessons.lessonId", "in", lessonIds),
      "<",
      lessonIds.length,
    )
    .$if(after !== null, (query) =>
      query.where(
        sql<SqlBool>`(${lessonsFrom}, enrollments.id) > (${after?.enrolledAt}, ${after?.id})`,
      ),
    )
    .orderBy(lessonsFrom)
    .orderBy("enrollments.id")
    .limit(pageSize)
    .execute();
}

type Planned = { payload: { userId: string; day: string } };

/** 'user day' of those who had a lesson email that day, by another course's beginning perhaps. */
async function listReached(db: Query, emails: Planned[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set();
  const rows = await db
    .selectFrom("announcedLessons")
    .innerJoin("enrollments", "enrollments.id", "announcedLessons.enrollmentId")
    .select(["enrollments.userId", "announcedLessons.day"])
    .distinct()
    .where(
      "enrollments.userId",
      "in",
      emails.map(({ payload }) => payload.userId),
    )
    .where("announcedLessons.day", "in", [...new Set(emails.map(({ payload }) => payload.day))])
    .execute();
  return new Set(rows.map(({ userId, day }) => `${userId} ${day}`));
}

type NextLesson = { userId: string; productId: string; lessonId: string; opens: Date };

/** Whether an email comes when the course's lessons open, and when the one comes that names a lesson
 * which opens then; null where the course sends none, or one has named this lesson before its day was
 * moved. An unknown user wants them. */
export async function nextLessonEmail(
  { db, content }: Services,
  { userId, productId, lessonId, opens }: NextLesson,
): Promise<{ isWanted: boolean; at: Date } | null> {
  const found = await db.read
    .selectFrom("products")
    .leftJoin("profiles", (join) => join.on("profiles.id", "=", userId))
    .leftJoin("declinedEmails", (join) =>
      join.onRef("declinedEmails.userId", "=", "profiles.id").on("declinedEmails.kind", "=", kind),
    )
    .leftJoin("enrollments", (join) =>
      join
        .onRef("enrollments.productId", "=", "products.id")
        .onRef("enrollments.userId", "=", "profiles.id"),
    )
    .leftJoin("announcedLessons", (join) =>
      join
        .onRef("announcedLessons.enrollmentId", "=", "enrollments.id")
        .on("announcedLessons.lessonId", "=", lessonId),
    )
    .select(["products.lessonEmails", "profiles.timeZone", "declinedEmails.kind as declined"])
    .select("announcedLessons.day as named")
    .where("products.id", "=", productId)
    .executeTakeFirst();
  if (!found || found.lessonEmails === "off" || found.named !== null) return null;
  const { at } = nextMorning(opens, knownZone(found.timeZone, content.site.timeZone), morning.from);
  return { isWanted: found.declined === null, at };
}
