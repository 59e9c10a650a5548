import { type Lesson, type Module, opensAt } from "./rules.ts";

const dayMs = 24 * 3600 * 1000;

/** Whole days since enrollment (spec 9), as spans of 24 hours, not calendar days. Never negative. */
export function daysSince(enrolledAt: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - enrolledAt.getTime()) / dayMs));
}

/** Spec 4, Lesson: locked while its drip day is greater than the whole days since enrollment. */
export function isLocked(dripDay: number, enrolledAt: Date, now: Date): boolean {
  return dripDay > daysSince(enrolledAt, now);
}

/** Spec 4, Course progress percent: rounded whole percent; 0 without lessons. */
export function percent(completed: number, total: number): number {
  return total === 0 ? 0 : Math.round((completed / total) * 100);
}

/** All lessons of a course in the order in which they are studied. */
export function lessonsInOrder<L>(modules: readonly Module<L>[]): L[] {
  return modules.flatMap((module) => module.lessons);
}

/** Spec 4: the first lesson that is open and not completed; else the first of the first module, or
 * while that is locked the first open one. */
export function initialLesson<L extends Pick<Lesson, "isLocked" | "isCompleted">>(
  modules: readonly Module<L>[],
): L | null {
  const open = lessonsInOrder(modules).filter((lesson) => !lesson.isLocked);
  const first = modules[0]?.lessons[0] ?? null;
  const instead = first?.isLocked ? open[0] : first;
  return open.find((lesson) => !lesson.isCompleted) ?? instead ?? first;
}

/** What follows on a module: the next one with lessons to do, lessons before it, or nothing. */
export type WhatComesNext =
  | { kind: "module"; title: string; opensAt: Date | null }
  | { kind: "rest" }
  | { kind: "finished" };

/** What comes after a completed module; `opensAt` is when its first lesson opens, if it is locked. */
export function whatComesNext(
  modules: readonly Module[],
  moduleId: string,
  enrolledAt: Date,
): WhatComesNext {
  const place = modules.findIndex(({ id }) => id === moduleId);
  const hasMore = ({ lessons }: Module) => lessons.some(({ isCompleted }) => !isCompleted);
  const next = modules.slice(place + 1).find(hasMore);
  if (!next) return { kind: modules.some(hasMore) ? "rest" : "finished" };
  const [first] = next.lessons;
  const locked = first?.isLocked ? opensAt(first.dripDay, enrolledAt) : null;
  return { kind: "module", title: next.title, opensAt: locked };
}

/** Which buttons stand below a lesson (spec 2, Lesson player): 'Mark as Complete' where
 * `completeModule` is null and the lesson is not completed. `previous` and `next` pass over locked
 * lessons; `passedOver` are those before `next`. */
export function lessonButtons(modules: readonly Module[], lesson: Lesson) {
  const lessons = lessonsInOrder(modules);
  const place = lessons.findIndex(({ id }) => id === lesson.id);
  const [before, after] = [lessons.slice(0, place), lessons.slice(place + 1)];
  const isOpen = ({ isLocked }: Lesson) => !isLocked;
  const next = after.find(isOpen) ?? null;
  const isLast = modules.some((module) => module.lessons.at(-1)?.id === lesson.id);
  return {
    // Spec 2: 'Previous' is shown unless the lesson is the first.
    previous: before.findLast(isOpen) ?? before.at(-1) ?? null,
    completeModule: isLast ? (lesson.isCompleted ? "done" : "open") : null,
    next,
    passedOver: next ? after.slice(0, after.indexOf(next)) : [],
  } as const;
}

/** What there is for a student after the last lesson that is open: the locked one that opens first,
 * another open one that is not completed, or the end of the course. */
export function afterLastOpen(modules: readonly Module[], lessonId: string) {
  const lessons = lessonsInOrder(modules);
  const left = lessons.filter((lesson) => !lesson.isCompleted);
  const locked = left.filter((lesson) => lesson.isLocked);
  return {
    opensNext: locked.toSorted((one, other) => one.dripDay - other.dripDay)[0] ?? null,
    toDo: left.find((lesson) => !lesson.isLocked && lesson.id !== lessonId) ?? null,
    isFinished: left.length === 0,
  };
}

/** A lesson's name in addresses: its slug, with its id where two modules use the same slug. */
export function lessonKeys<L extends { id: string; slug: string }>(
  modules: readonly Module<L>[],
): (lesson: L) => string {
  const seen = new Set<string>();
  const twins = new Set<string>();
  for (const { slug } of lessonsInOrder(modules)) (seen.has(slug) ? twins : seen).add(slug);
  return ({ id, slug }) => (twins.has(slug) ? `${slug}~${id}` : slug);
}

/** The lesson that an address names; null when there is none. */
export function lessonByKey<L extends { id: string; slug: string }>(
  modules: readonly Module<L>[],
  key: string,
): L | null {
  const [slug, id] = key.split("~");
  const named = lessonsInOrder(modules).filter((lesson) => lesson.slug === slug);
  return (id ? named.find((lesson) => lesson.id === id) : named[0]) ?? null;
}
