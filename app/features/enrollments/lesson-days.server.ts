import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { lessonsOf } from "~/features/courses/courses.server.ts";
import type { Services } from "~/platform/http/services.ts";
import { localHour, startOfDay } from "~/platform/time/morning.ts";
import { shortDate } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { auditWords, daysWords, emailWords, moveWords, questionWords } from "./lesson-days.ts";
import type { getEnrollment } from "./manual-enrollments.server.ts";
import { enrollmentMessages, lessonDaysMessages } from "./messages.ts";
import { everyLessonOpen } from "./rules.ts";

type Enrollment = NonNullable<Awaited<ReturnType<typeof getEnrollment>>>;

type Asked = { asked: string; timeZone: string };

const longestMs = 2 * 366 * 24 * 3600_000;

/** From when the days are to count, null for the enrollment; or what is wrong with what was typed. */
function readDays(
  { clock }: Services,
  { asked, timeZone }: Asked,
): { from: Date | null } | { error: string } {
  if (asked === "enrollment") return { from: null };
  if (asked === "open") return { from: everyLessonOpen };
  const from = startOfDay(asked, timeZone);
  if (!from) return { error: lessonDaysMessages.noDate };
  const now = clock.now().getTime();
  if (Math.abs(from.getTime() - now) <= longestMs) return { from };
  const day = (at: number) => shortDate(new Date(at), timeZone);
  return { error: lessonDaysMessages.tooFar(day(now - longestMs), day(now + longestMs)) };
}

/** How the days of an enrollment's lessons count; where a change is asked for, what it would change,
 * or why it cannot be. Null for a course all of whose lessons open at once. */
export async function getLessonDays(
  services: Services,
  enrollment: Enrollment,
  { asked, timeZone }: { asked: string | null; timeZone: string },
) {
  const { createdAt, lessonsFromAt, lessonEmails } = enrollment;
  const before = lessonsFromAt ?? createdAt;
  const lessons = await listLessons(services, enrollment);
  if (!lessonsFromAt && lessons.every(({ dripDay }) => dripDay === 0)) return null;
  const now = services.clock.now();
  const day = (date: Date) => shortDate(date, timeZone);
  const dripDays = lessons.map(({ dripDay }) => dripDay);
  const inWords = (from: Date | null) =>
    daysWords({ from: from ?? createdAt, isMoved: from !== null }, dripDays, now, day);
  const isOpen = before.getTime() === everyLessonOpen.getTime();
  const shown = {
    words: inWords(lessonsFromAt),
    state: isOpen ? "open" : lessonsFromAt ? "moved" : "enrollment",
    date: lessonsFromAt && !isOpen ? localHour(lessonsFromAt, timeZone).day : "",
    error: null,
    question: null,
  } as const;
  if (asked === null) return shown;
  const read = readDays(services, { asked, timeZone });
  const typed = { ...shown, date: asked };
  if ("error" in read) return { ...typed, error: read.error };
  const { from } = read;
  if (from?.getTime() === lessonsFromAt?.getTime())
    return { ...shown, error: lessonDaysMessages.already };
  const question = {
    days: asked,
    daysFrom: daysFromText(lessonsFromAt),
    title: questionWords(asked, from && day(from)),
    lines: [
      moveWords({ lessons, before, after: from ?? createdAt, now }),
      inWords(from),
      emailWords(asked, lessonEmails),
    ],
  };
  return { ...(from && asked !== "open" ? typed : shown), question };
}

/** From when the days count, as the question's form sends it back; empty for the enrollment. */
const daysFromText = (lessonsFromAt: Date | null) => lessonsFromAt?.toISOString() ?? "";

export type ShownLessonDays = NonNullable<Awaited<ReturnType<typeof getLessonDays>>>;

async function listLessons({ db }: Services, { userId, productId }: Enrollment) {
  const rows = await lessonsOf(db.read, productId)
    .leftJoin("progress", (join) =>
      join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", userId),
    )
    .select(["lessons.dripDay", "progress.createdAt as completedAt"])
    .execute();
  return rows.map(({ dripDay, completedAt }) => ({ dripDay, isCompleted: completedAt !== null }));
}

/** Has the days of one student's lessons count otherwise. Idempotent; `daysFrom` is what the question
 * was asked about, and another change since then makes it outdated. @throws {Refused} not_found */
export async function moveLessonDays(
  services: Services,
  { id, daysFrom, ...asked }: Asked & { id: string; daysFrom: string },
): Promise<"moved" | "same" | "invalid" | "outdated"> {
  const read = readDays(services, asked);
  if ("error" in read) return "invalid";
  const { from } = read;
  const { db } = services;
  return db.transaction(async (trx) => {
    const found = trx
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .select(["enrollments.userId", "enrollments.lessonsFromAt", "products.title"])
      .where("enrollments.id", "=", id);
    const locked = db.engine === "postgres" ? found.forUpdate("enrollments") : found;
    const enrollment = await locked.executeTakeFirst();
    if (!enrollment) throw new Refused("not_found", enrollmentMessages.alreadyRemoved);
    const { lessonsFromAt } = enrollment;
    if (lessonsFromAt?.getTime() === from?.getTime()) return "same";
    if (daysFromText(lessonsFromAt) !== daysFrom) return "outdated";
    await trx
      .updateTable("enrollments")
      .set({ lessonsFromAt: from })
      .where("id", "=", id)
      .execute();
    await recordAudit(trx, services, {
      ...{ action: "enrollment.days-moved", id, label: enrollment.title },
      personId: enrollment.userId,
      details: { days: auditWords(asked.asked) },
    });
    return "moved";
  });
}
