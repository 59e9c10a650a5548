import { presentLessons } from "~/features/courses/courses.server.ts";
import { lessonsFrom, studyOrder } from "~/features/enrollments/access.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { isAmong } from "~/platform/db/people-search.ts";
import { readTotals } from "~/platform/db/tallies.ts";
import type { Services } from "~/platform/http/services.ts";
import { lessonBars } from "./charts.server.ts";
import { firstLessonWords, stopWords } from "./messages.ts";
import { medianOf, type Studied, stoppedAt } from "./rules.ts";

/** How long it took to begin, and where people stop, is read of the newest students alone. */
const newest = 200;
const mostStops = 3;

/** Where the students of a course are, as sums: nothing about one of them. Null for no such course. */
export async function readCourseFigures(services: Services, courseId: string) {
  const { db, clock } = services;
  if (!isId(courseId)) return null;
  const course = await db.read
    .selectFrom("products")
    .select(["id", "title"])
    .where("id", "=", courseId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!course) return null;
  const lessons = await listLessonsOf(db.read, courseId);
  const ids = lessons.map(({ id }) => id);
  const [students, opened, completed, studied] = await Promise.all([
    readTotals(db, "students", [courseId]),
    readTotals(db, "opened", ids),
    readTotals(db, "completed", ids),
    readNewest(services, courseId, ids),
  ]);
  const counts = lessons.map(({ id }) => ({
    opened: opened.get(id) ?? 0,
    completed: completed.get(id) ?? 0,
  }));
  const bars = lessonBars(counts);
  const began = studied.flatMap(({ firstMs }) => firstMs ?? []);
  const days = lessons.map(({ dripDay }) => dripDay);
  const stops = studied.flatMap((one) => stoppedAt(one, days, clock.now()) ?? []);
  const byLesson = Map.groupBy(stops, (place) => place);
  return {
    ...{ id: course.id, title: course.title, students: students.get(courseId) ?? 0 },
    lessons: lessons.map(({ id, title, module }, at) => ({
      ...{ id, title, module, ...counts[at], bars: bars[at] },
    })),
    first: firstLessonWords(medianOf(began), { began: began.length, of: studied.length }),
    stops: [...byLesson]
      .map(([place, all]) => ({ place, count: all.length }))
      .sort((a, b) => b.count - a.count || a.place - b.place)
      .slice(0, mostStops)
      .map(({ place, count }) => ({
        id: lessons[place]?.id ?? "",
        title: lessons[place]?.title ?? "",
        words: stopWords(count),
      })),
    newest: studied.length,
  };
}

export type CourseSums = NonNullable<Awaited<ReturnType<typeof readCourseFigures>>>;

const listLessonsOf = (db: Query, courseId: string) =>
  presentLessons(db)
    .select(["lessons.id", "lessons.title", "lessons.dripDay", "modules.title as module"])
    .where("products.id", "=", courseId)
    .orderBy(studyOrder)
    .execute();

type NewestStudent = Studied & { firstMs: number | null };

// Of what they did only the times: never what was written, nor whether.
async function readNewest({ db }: Services, courseId: string, lessonIds: string[]) {
  const students = await db.read
    .selectFrom("enrollments")
    .select(["userId", "createdAt", lessonsFrom.as("fromAt")])
    .where("productId", "=", courseId)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(newest)
    .execute();
  if (students.length === 0 || lessonIds.length === 0) return [];
  const userIds = students.map(({ userId }) => userId);
  const timesIn = (table: "lessonViews" | "progress") =>
    db.read
      .selectFrom(table)
      .select(["userId", "lessonId", "createdAt"])
      .where(isAmong(db, "userId", userIds))
      .where(isAmong(db, "lessonId", lessonIds))
      .execute();
  const [views, done] = await Promise.all([timesIn("lessonViews"), timesIn("progress")]);
  const [viewsOf, doneOf] = [views, done].map((rows) => Map.groupBy(rows, ({ userId }) => userId));
  const placeOf = new Map(lessonIds.map((id, at) => [id, at]));
  return students.map(({ userId, createdAt, fromAt }): NewestStudent => {
    const [opened = [], completed = []] = [viewsOf?.get(userId), doneOf?.get(userId)];
    const times = [...opened, ...completed].map((row) => row.createdAt.getTime());
    const began = createdAt.getTime();
    return {
      fromAt: new Date(fromAt),
      completed: completed.map(({ lessonId }) => placeOf.get(lessonId) ?? 0),
      lastAt: new Date(Math.max(began, ...times)),
      firstMs: times.length > 0 ? Math.max(0, Math.min(...times) - began) : null,
    };
  });
}

/** The lessons of a course for a spreadsheet. */
export async function listCourseFigures(services: Services, courseId: string) {
  const figures = await readCourseFigures(services, courseId);
  return (figures?.lessons ?? []).map(({ title, module, opened, completed }) => ({
    ...{ course: figures?.title ?? "", module, lesson: title },
    ...{ opened: opened ?? 0, completed: completed ?? 0, students: figures?.students ?? 0 },
  }));
}
