import { isLocked, percent } from "~/features/enrollments/lesson-order.ts";
import { opensAt } from "~/features/enrollments/rules.ts";
import type { LessonState, StudentCourse, StudiedLesson, StudiedModule } from "./schema.ts";

/** The state of one lesson in a student's course. */
export function lessonState(
  { dripDay, completedAt }: Pick<StudiedLesson, "dripDay" | "completedAt">,
  { since, until }: Pick<StudentCourse, "since" | "until">,
  now: Date,
): LessonState {
  if (completedAt) return { kind: "completed", at: completedAt };
  if (until) return { kind: "not-completed" };
  return isLocked(dripDay, since, now)
    ? { kind: "opens", at: opensAt(dripDay, since) }
    : { kind: "open" };
}

/** Groups a course's lessons by module. `lessons` may be of several courses, in lesson order. */
export function withLessons(
  course: StudentCourse,
  lessons: readonly StudiedLesson[],
  now: Date,
): StudentCourse & {
  modules: StudiedModule[];
  completed: number;
  total: number;
  percent: number;
} {
  const own = lessons.filter(({ productId }) => productId === course.productId);
  const completed = own.filter(({ completedAt }) => completedAt).length;
  const modules = [...Map.groupBy(own, ({ moduleId }) => moduleId)].map(([id, inside]) => ({
    id,
    title: inside[0]?.module ?? "",
    lessons: inside.map((lesson) => ({
      id: lesson.id,
      title: lesson.title,
      state: lessonState(lesson, course, now),
    })),
  }));
  return {
    ...course,
    modules,
    completed,
    total: own.length,
    percent: percent(completed, own.length),
  };
}
