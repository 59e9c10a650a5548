import type { LetterKind } from "~/features/accounts/letters/schema.ts";
import type { Query } from "~/platform/db/database.ts";
import { firstMark, type Mark } from "../letters/rules.ts";

const settingName = "lesson-letters";
const kind: LetterKind = "lesson-opened";

/** Lessons of one course that open on one day and have got equally far among its students. */
export type Opening = {
  productId: string;
  dripDay: number;
  /** Nobody is told: the course sends no letters. */
  isSilent: boolean;
  mark: Mark;
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

/** All lessons that there are, also of inactive courses: whoever is enrolled there goes on learning. */
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
export async function listOpenings(db: Query, since: Date): Promise<Opening[]> {
  const lessons = await lessonsAndMarks(db)
    .select(["lessons.id", "lessons.dripDay", "lessons.createdAt"])
    .select(["products.id as productId", "products.lessonMails"])
    .select(["lessonMarks.enrolledAt", "lessonMarks.enrollmentId"])
    .where("lessons.dripDay", ">", 0)
    // One that got its day just now is for the next look.
    .where((is) =>
      is.or([is("lessonMarks.lessonId", "is", null), is("lessonMarks.fromStart", "=", false)]),
    )
    .execute();
  const openings = lessons.map((lesson): Opening & { lessonId: string } => ({
    lessonId: lesson.id,
    productId: lesson.productId,
    dripDay: lesson.dripDay,
    isSilent: lesson.lessonMails === "off",
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
export async function standsStill(db: Query, { lessonIds, mark }: Opening): Promise<boolean> {
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

type Stretch = { productId: string; mark: Mark; until: Date };

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

/** The next of them in order, each with where she is and whether she wants letters about lessons. */
export function nextEnrolled(db: Query, { limit, ...stretch }: Stretch & { limit: number }) {
  return enrolledAfter(db, stretch)
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .leftJoin("declinedMails", (join) =>
      join
        .onRef("declinedMails.userId", "=", "enrollments.userId")
        .on("declinedMails.kind", "=", kind),
    )
    .select(["enrollments.id", "enrollments.userId", "enrollments.createdAt", "profiles.timeZone"])
    .select("declinedMails.kind as declined")
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
