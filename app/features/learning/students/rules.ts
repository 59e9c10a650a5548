import { isLocked, opensAt, percent } from "../rules.ts";
import type { LessonState, StudiedCourse, StudiedLesson, StudiedModule } from "./schema.ts";

/** How it stands with one lesson of somebody's course. */
export function lessonState(
  { dripDay, completedAt }: Pick<StudiedLesson, "dripDay" | "completedAt">,
  { since, until }: Pick<StudiedCourse, "since" | "until">,
  now: Date,
): LessonState {
  if (completedAt) return { kind: "completed", at: completedAt };
  if (until) return { kind: "not-completed" };
  return isLocked(dripDay, since, now)
    ? { kind: "opens", at: opensAt(dripDay, since) }
    : { kind: "open" };
}

/**
 * A course with its lessons in their order, by module, each with its state.
 * @param lessons of several courses, in the order of modules and lessons
 */
export function withLessons(
  course: StudiedCourse,
  lessons: readonly StudiedLesson[],
  now: Date,
): StudiedCourse & {
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
