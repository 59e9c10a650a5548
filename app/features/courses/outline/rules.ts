/** A course's modules and their lessons by id, in the order in which they are studied. */
export type Arrangement = { id: string; lessons: string[] }[];

/** How an author changes the order of a course. `beforeId` empty is the end. */
export type OutlineChange =
  | { intent: "move-lesson"; lessonId: string; moduleId: string; beforeId: string }
  | { intent: "step-lesson"; lessonId: string; direction: "up" | "down" }
  | { intent: "move-module"; moduleId: string; beforeId: string }
  | { intent: "step-module"; moduleId: string; direction: "up" | "down" };

/** Where a lesson is: the indexes of its module and of itself; null when it is not there. */
export function placeOf(modules: Arrangement, lessonId: string) {
  for (const [module, { lessons }] of modules.entries()) {
    const lesson = lessons.indexOf(lessonId);
    if (lesson >= 0) return { module, lesson };
  }
  return null;
}

/**
 * The order after a change; null when what it names is not there. A neighbour that has gone
 * elsewhere since counts as the end: whatever two people do at once, nothing gets lost.
 */
export function changed(modules: Arrangement, change: OutlineChange): Arrangement | null {
  switch (change.intent) {
    case "move-lesson":
      return moveLesson(modules, change);
    case "step-lesson":
      return stepLesson(modules, change.lessonId, change.direction);
    case "move-module":
      return moveModule(modules, change.moduleId, change.beforeId);
    case "step-module":
      return stepModule(modules, change.moduleId, change.direction);
  }
}

type LessonMove = { lessonId: string; moduleId: string; beforeId: string };

function moveLesson(modules: Arrangement, { lessonId, moduleId, beforeId }: LessonMove) {
  if (!placeOf(modules, lessonId) || !modules.some(({ id }) => id === moduleId)) return null;
  return modules.map(({ id, lessons }) => {
    const others = lessons.filter((lesson) => lesson !== lessonId);
    return { id, lessons: id === moduleId ? inserted(others, lessonId, beforeId) : others };
  });
}

/** One place up or down; over the edge of its module it goes into the next one. */
function stepLesson(modules: Arrangement, lessonId: string, direction: "up" | "down") {
  const place = placeOf(modules, lessonId);
  if (!place) return null;
  const { id, lessons } = modules[place.module] as Arrangement[number];
  const up = direction === "up";
  const isAtEdge = place.lesson === (up ? 0 : lessons.length - 1);
  if (!isAtEdge) {
    const beforeId = lessons[place.lesson + (up ? -1 : 2)] ?? "";
    return moveLesson(modules, { lessonId, moduleId: id, beforeId });
  }
  const next = modules[place.module + (up ? -1 : 1)];
  if (!next) return modules;
  const beforeId = up ? "" : (next.lessons[0] ?? "");
  return moveLesson(modules, { lessonId, moduleId: next.id, beforeId });
}

function moveModule(modules: Arrangement, moduleId: string, beforeId: string) {
  const module = modules.find(({ id }) => id === moduleId);
  if (!module || beforeId === moduleId) return module ? modules : null;
  const others = modules.filter(({ id }) => id !== moduleId);
  const index = others.findIndex(({ id }) => id === beforeId);
  return others.toSpliced(index < 0 ? others.length : index, 0, module);
}

function stepModule(modules: Arrangement, moduleId: string, direction: "up" | "down") {
  const index = modules.findIndex(({ id }) => id === moduleId);
  if (index < 0) return null;
  const beforeId = modules[index + (direction === "up" ? -1 : 2)]?.id ?? "";
  return index === 0 && direction === "up" ? modules : moveModule(modules, moduleId, beforeId);
}

function inserted(ids: string[], id: string, beforeId: string): string[] {
  const index = ids.indexOf(beforeId);
  return ids.toSpliced(index < 0 ? ids.length : index, 0, id);
}
