import type { KeyboardCoordinateGetter } from "@dnd-kit/core";

/** What is known of a module or lesson that can be dragged, or dropped upon. */
export type Entry = {
  type: "module" | "lesson";
  title: string;
  /** Of a lesson, or the module itself. */
  moduleId: string;
  /** Set for a module without lessons: a lesson can be dropped upon it. */
  isEmpty?: boolean | undefined;
};

/** Whether something can be dropped there. */
export function takesPart(held: Entry, there: Entry | undefined): boolean {
  if (!there) return false;
  if (held.type === "module") return there.type === "module";
  return there.type === "lesson" || there.isEmpty === true;
}

/** One key, one place: to the middle of the next entry above or below. */
export const stepByKey: KeyboardCoordinateGetter = (event, { active, context }) => {
  if (event.code !== "ArrowDown" && event.code !== "ArrowUp") return;
  event.preventDefault();
  const { collisionRect, droppableRects, droppableContainers } = context;
  if (!collisionRect) return;
  const held = context.active?.data.current as Entry | undefined;
  const here = collisionRect.top + collisionRect.height / 2;
  const way = event.code === "ArrowDown" ? 1 : -1;
  const places = droppableContainers
    .getEnabled()
    .filter(({ id, data }) => id !== active && held && takesPart(held, data.current as Entry))
    .flatMap(({ id }) => droppableRects.get(id) ?? [])
    .map(({ left, top, height }) => ({ left, middle: top + height / 2 }))
    .filter(({ middle }) => (middle - here) * way > 2)
    .sort((one, other) => (one.middle - other.middle) * way);
  const [next] = places;
  return next && { x: next.left, y: next.middle - collisionRect.height / 2 };
};
