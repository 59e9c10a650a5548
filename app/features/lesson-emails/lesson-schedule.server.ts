import type { EmailKind } from "~/features/accounts/messages.ts";
import { opensAt } from "~/features/enrollments/rules.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { addToDailyEmails } from "./daily-email.server.ts";
import { type EnrollmentCursor, firstMark, lastEnrolled } from "./rules.ts";

const settingName = "lesson-letters";
const kind: EmailKind = "lesson-opened";

/** Lessons of one course that open on one day and have got equally far among its students. */
export type LessonOpening = {
  productId: string;
  dripDay: number;
  /** Nobody is told: the course sends no emails. */
  isSilent: boolean;
  mark: EnrollmentCursor;
  lessonIds: string[];
};

/** Since when the site tells of lessons; from now on, if it never did. */
export async function tellingSince(db: Query, now: Date): Promise<Date> {
  await db
    .insertInto("settings")
    .values({ name: settingName, value: "told", createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { createdAt } = await db
    .selectFrom("settings")
    .select("createdAt")
    .where("name", "=", settingName)
    .executeTakeFirstOrThrow();
  return createdAt;
}

function lessonsAndMarks(db: Query) {
  return db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .leftJoin("lessonMarks", "lessonMarks.lessonId", "lessons.id")
    .where("lessons.deletedAt", "is", null)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null);
}

/**
 * Lessons of day 0 whose mark does not say so yet, and those that have got another day since it
 * did: only from then on is there somebody to tell of them.
 */
export function listTurned(db: Query) {
  return lessonsAndMarks(db)
    .select(["lessons.id", "lessons.dripDay"])
    .where((is) =>
      is.or([
        is.and([
          is("lessons.dripDay", "=", 0),
          is.or([is("lessonMarks.lessonId", "is", null), is("lessonMarks.fromStart", "=", false)]),
        ]),
        is.and([is("lessons.dripDay", ">", 0), is("lessonMarks.fromStart", "=", true)]),
      ]),
    )
    .execute();
}

/** The lessons that students may have to be told of. */
export async function listOpenings(db: Query, since: Date): Promise<LessonOpening[]> {
  const lessons = await lessonsAndMarks(db)
    .select(["lessons.id", "lessons.dripDay", "lessons.createdAt"])
    .select(["products.id as productId", "products.lessonEmails"])
    .select(["lessonMarks.enrolledAt", "lessonMarks.enrollmentId"])
    .where("lessons.dripDay", ">", 0)
    // One that got its day just now is for the next look.
    .where((is) =>
      is.or([is("lessonMarks.lessonId", "is", null), is("lessonMarks.fromStart", "=", false)]),
    )
    .execute();
  const openings = lessons.map((lesson): LessonOpening & { lessonId: string } => ({
    lessonId: lesson.id,
    productId: lesson.productId,
    dripDay: lesson.dripDay,
    isSilent: lesson.lessonEmails === "off",
    mark:
      lesson.enrolledAt && lesson.enrollmentId !== null
        ? { enrolledAt: lesson.enrolledAt, enrollmentId: lesson.enrollmentId }
        : firstMark(lesson, since),
    lessonIds: [],
  }));
  const groups = Map.groupBy(openings, ({ lessonId: _, ...same }) => JSON.stringify(same));
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const { lessonId: _, ...opening } = first;
    return [{ ...opening, lessonIds: alike.map(({ lessonId }) => lessonId) }];
  });
}

/** Whether these lessons have got no further than was read: nobody else goes on with them now. */
export async function standsStill(db: Query, { lessonIds, mark }: LessonOpening): Promise<boolean> {
  const rows = await db
    .selectFrom("lessonMarks")
    .select(["enrolledAt", "enrollmentId"])
    .where("lessonId", "in", lessonIds)
    .execute();
  return rows.every(
    ({ enrolledAt, enrollmentId }) =>
      enrolledAt.getTime() === mark.enrolledAt.getTime() && enrollmentId === mark.enrollmentId,
  );
}

type Stretch = { productId: string; mark: EnrollmentCursor; until: Date };

/** Enrollments after a mark, and not after `until`. */
function enrolledAfter(db: Query, { productId, mark, until }: Stretch) {
  return db
    .selectFrom("enrollments")
    .where("enrollments.productId", "=", productId)
    .where("enrollments.createdAt", ">=", mark.enrolledAt)
    .where("enrollments.createdAt", "<=", until)
    .where((eb) =>
      eb.or([
        eb("enrollments.createdAt", ">", mark.enrolledAt),
        eb("enrollments.id", ">", mark.enrollmentId),
      ]),
    );
}

/** The next of them in order, each with where they are and whether they want emails about lessons. */
export function nextEnrolled(db: Query, { limit, ...stretch }: Stretch & { limit: number }) {
  return enrolledAfter(db, stretch)
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .leftJoin("declinedEmails", (join) =>
      join
        .onRef("declinedEmails.userId", "=", "enrollments.userId")
        .on("declinedEmails.kind", "=", kind),
    )
    .select(["enrollments.id", "enrollments.userId", "enrollments.createdAt", "profiles.timeZone"])
    .select("declinedEmails.kind as declined")
    .orderBy("enrollments.createdAt")
    .orderBy("enrollments.id")
    .limit(limit)
    .execute();
}

/** The last of them, or nobody. */
export function lastEnrolledOf(db: Query, stretch: Stretch) {
  return enrolledAfter(db, stretch)
    .select(["enrollments.id", "enrollments.createdAt"])
    .orderBy("enrollments.createdAt", "desc")
    .orderBy("enrollments.id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Emails are written down before their lessons open: by more than the hour between two looks. */
const aheadMs = 2 * 3600_000;
const portion = 250;

/**
 * Writes down the emails about all lessons that have opened since the last look, or will before
 * the next. Every lesson has a mark up to which its students are dealt with: so nothing is left
 * out while the site is down, nobody is told twice, and several machines share the work.
 * @returns how many students' lessons were looked at
 */
export async function planLessonEmails(services: Services): Promise<number> {
  const { db, clock, log } = services;
  const since = await tellingSince(db.write, clock.now());
  await turnMarks(services);
  let looked = 0;
  for (const opening of await listOpenings(db.read, since))
    try {
      looked += opening.isSilent
        ? await passSilently(services, opening)
        : await planOpening(services, opening);
    } catch (err) {
      // The others are not to wait for it: it is tried again with the next look.
      const { productId, dripDay } = opening;
      log.error({ err, productId, dripDay }, "emails about lessons could not be scheduled");
    }
  return looked;
}

/**
 * Notes which lessons open with the enrollment. One that gets a day later on is told to those for
 * whom it opens from now on: the others have had it.
 */
async function turnMarks({ db, clock }: Services): Promise<void> {
  if ((await listTurned(db.read)).length === 0) return;
  const now = clock.now();
  await db.transaction(async (trx) => {
    await lockId(db, trx, "lesson emails");
    for (const { id, dripDay } of await listTurned(trx)) {
      const mark = { enrolledAt: lastEnrolled(dripDay, now), enrollmentId: "" };
      await setMarks(trx, [id], { ...mark, fromStart: dripDay === 0 });
    }
  });
}

async function planOpening(services: Services, opening: LessonOpening): Promise<number> {
  const { db, clock } = services;
  const until = lastEnrolled(opening.dripDay, new Date(clock.now().getTime() + aheadMs));
  // Most have nobody between: reading that stops no writer.
  if (!(await lastEnrolledOf(db.read, { ...opening, until }))) return 0;
  let looked = 0;
  let { mark } = opening;
  for (;;) {
    const students = await planPortion(services, { ...opening, mark }, until);
    looked += students.length;
    const last = students.at(-1);
    if (!last || students.length < portion) return looked;
    mark = { enrolledAt: last.createdAt, enrollmentId: last.id };
  }
}

function planPortion({ db, clock }: Services, opening: LessonOpening, until: Date) {
  const { dripDay, lessonIds } = opening;
  const now = clock.now();
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson emails");
    if (!(await standsStill(trx, opening))) return [];
    const students = await nextEnrolled(trx, { ...opening, until, limit: portion });
    const last = students.at(-1);
    if (!last) return [];
    const lines = students
      .filter(({ declined }) => declined === null)
      .map(({ id, userId, createdAt, timeZone }) => ({
        userId,
        timeZone,
        enrollmentId: id,
        lessonIds,
        notBefore: opensAt(dripDay, createdAt),
      }));
    await addToDailyEmails(db, trx, lines, now);
    await moveMarks(trx, lessonIds, last);
    return students;
  });
}

/** What opens while a course sends no emails is not told of later either. */
async function passSilently({ db, clock }: Services, opening: LessonOpening): Promise<number> {
  const until = lastEnrolled(opening.dripDay, clock.now());
  const last = await lastEnrolledOf(db.read, { ...opening, until });
  if (last)
    await db.transaction(async (trx) => {
      await lockId(db, trx, "lesson emails");
      if (await standsStill(trx, opening)) await moveMarks(trx, opening.lessonIds, last);
    });
  return 0;
}

function moveMarks(
  trx: Query,
  lessonIds: readonly string[],
  { createdAt: enrolledAt, id: enrollmentId }: { createdAt: Date; id: string },
) {
  return setMarks(trx, lessonIds, { enrolledAt, enrollmentId, fromStart: false });
}

async function setMarks(
  trx: Query,
  lessonIds: readonly string[],
  mark: EnrollmentCursor & { fromStart: boolean },
) {
  await trx
    .insertInto("lessonMarks")
    .values(lessonIds.map((lessonId) => ({ lessonId, ...mark })))
    .onConflict((conflict) => conflict.column("lessonId").doUpdateSet(mark))
    .execute();
}
