import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  DragOverlay,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { GripVertical } from "lucide";
import { createContext, type ReactNode, useState } from "react";
import { buttonStyles } from "~/ui/button-styles.ts";
import { Icon } from "~/ui/icon.tsx";
import { lessonPlaced, modulePlaced } from "../messages.ts";
import type { OutlineModule } from "../ordering.server.ts";
import {
  applyOutlineChange,
  type OutlineChange,
  type OutlineOrder,
  outlinePlace,
} from "../rules.ts";
import { withWords } from "./use-order.ts";

type OutlineEntry = {
  type: "module" | "lesson";
  title: string;
  /** A lesson's module, or the module itself. */
  moduleId: string;
  /** True for a module without lessons: a lesson can be dropped on it. */
  isEmpty?: boolean | undefined;
};

function takesPart(held: OutlineEntry, there: OutlineEntry | undefined): boolean {
  if (!there) return false;
  if (held.type === "module") return there.type === "module";
  return there.type === "lesson" || there.isEmpty === true;
}

const stepByKey: KeyboardCoordinateGetter = (event, { active, context }) => {
  if (event.code !== "ArrowDown" && event.code !== "ArrowUp") return;
  event.preventDefault();
  const { collisionRect, droppableRects, droppableContainers } = context;
  if (!collisionRect) return;
  const held = context.active?.data.current as OutlineEntry | undefined;
  const here = collisionRect.top + collisionRect.height / 2;
  const way = event.code === "ArrowDown" ? 1 : -1;
  const places = droppableContainers
    .getEnabled()
    .filter(
      ({ id, data }) => id !== active && held && takesPart(held, data.current as OutlineEntry),
    )
    .flatMap(({ id }) => droppableRects.get(id) ?? [])
    .map(({ left, top, height }) => ({ left, middle: top + height / 2 }))
    .filter(({ middle }) => (middle - here) * way > 2)
    .sort((one, other) => (one.middle - other.middle) * way);
  const [next] = places;
  return next && { x: next.left, y: next.middle - collisionRect.height / 2 };
};

export type ChangeOrder = (change: OutlineChange) => void;

export type ShellProps = {
  type: "module" | "lesson";
  id: string;
  moduleId: string;
  title: string;
  items?: string[];
  className: string;
  /** Receives the drag handle; null where nothing can be dragged. */
  children: (handle: ReactNode) => ReactNode;
};

/** The element around an outline entry: plain at first, draggable once sortable.tsx has loaded. */
export const ShellContext = createContext<(props: ShellProps) => ReactNode>(() => null);

export type SortableProps = {
  modules: OutlineModule[];
  titles: Map<string, string>;
  onChange: ChangeOrder;
  children: (modules: OutlineModule[]) => ReactNode;
};

const instructions =
  "Press Space to pick it up, the arrow keys to move it, Space again to put it down, Escape to leave it where it was.";

export function Sortable({ modules, titles, onChange, children }: SortableProps) {
  const stored: OutlineOrder = modules.map(({ id, lessons }) => ({
    id,
    lessons: lessons.map((lesson) => lesson.id),
  }));
  const [held, setHeld] = useState<OutlineEntry | null>(null);
  const [lifted, setLifted] = useState<OutlineOrder | null>(null);
  const order = lifted ?? stored;
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: stepByKey }),
  );

  function over({ active, over }: DragOverEvent) {
    const lessonId = String(active.id);
    if (!over || entryOf(active).type !== "lesson") return;
    const from = outlinePlace(order, lessonId);
    const to = placeUnder(order, String(over.id));
    if (!from || !to || from.module === to.module) return;
    // From above, the lesson enters at the first place; from below, behind the last.
    const target = order[to.module];
    const index = to.lesson + (from.module < to.module ? 0 : 1);
    const beforeId = target?.lessons[index] ?? "";
    const moduleId = target?.id ?? "";
    setLifted(
      applyOutlineChange(order, { intent: "move-lesson", lessonId, moduleId, beforeId }) ?? order,
    );
  }

  function drop({ active, over }: DragEndEvent) {
    const move = over && moveTo(order, entryOf(active), String(active.id), String(over.id));
    setHeld(null);
    setLifted(null);
    if (move) onChange(move);
  }

  return (
    <DndContext
      id="outline"
      sensors={sensors}
      collisionDetection={nearest}
      accessibility={{
        announcements: announcementsFor(order, titles),
        screenReaderInstructions: { draggable: instructions },
      }}
      onDragStart={({ active }) => {
        setHeld(entryOf(active));
        setLifted(stored);
      }}
      onDragOver={over}
      onDragEnd={drop}
      onDragCancel={() => {
        setHeld(null);
        setLifted(null);
      }}
    >
      <SortableContext items={order.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <ShellContext value={DraggableShell}>{children(withWords(order, modules))}</ShellContext>
      </SortableContext>
      <DragOverlay dropAnimation={null}>
        {held && <div className="outline-held">{held.title}</div>}
      </DragOverlay>
    </DndContext>
  );
}

const entryOf = (active: { data: { current?: unknown } }) => active.data.current as OutlineEntry;

/** The place of a lesson, or the only place of a module without lessons. */
function placeUnder(order: OutlineOrder, id: string) {
  const module = order.findIndex((entry) => entry.id === id);
  return module >= 0 ? { module, lesson: 0 } : outlinePlace(order, id);
}

function moveTo(order: OutlineOrder, { type }: OutlineEntry, id: string, overId: string) {
  if (type === "module") {
    const ids = order.map((module) => module.id);
    const to = ids.indexOf(overId);
    const rest = ids.filter((other) => other !== id);
    return { intent: "move-module", moduleId: id, beforeId: rest[to] ?? "" } as const;
  }
  const place = outlinePlace(order, id);
  const module = place && order[place.module];
  if (!module) return null;
  const to = module.lessons.indexOf(overId);
  const rest = module.lessons.filter((other) => other !== id);
  const beforeId = rest[to < 0 ? place.lesson : to] ?? "";
  return { intent: "move-lesson", lessonId: id, moduleId: module.id, beforeId } as const;
}

const nearest: CollisionDetection = (args) =>
  closestCenter({
    ...args,
    droppableContainers: args.droppableContainers.filter((container) =>
      takesPart(entryOf(args.active), container.data.current as OutlineEntry | undefined),
    ),
  });

function announcementsFor(order: OutlineOrder, titles: Map<string, string>): Announcements {
  const titleOf = (id: unknown) => titles.get(String(id)) ?? "";
  function placed(id: string, overId: string | undefined) {
    const module = order.findIndex((entry) => entry.id === id);
    if (module >= 0) {
      const to = order.findIndex((entry) => entry.id === overId);
      return modulePlaced(titleOf(id), (to < 0 ? module : to) + 1, order.length);
    }
    const place = placeUnder(order, overId ?? id);
    const target = place && order[place.module];
    const others = target?.lessons.filter((lesson) => lesson !== id).length ?? 0;
    return lessonPlaced(titleOf(id), (place?.lesson ?? 0) + 1, others + 1, titleOf(target?.id));
  }
  return {
    onDragStart: ({ active }) => `Picked up “${titleOf(active.id)}”.`,
    onDragOver: ({ active, over }) => placed(String(active.id), over ? String(over.id) : undefined),
    onDragEnd: ({ active }) => `Put down “${titleOf(active.id)}”.`,
    onDragCancel: ({ active }) => `“${titleOf(active.id)}” stays where it was.`,
  };
}

function DraggableShell({ type, id, moduleId, title, items, className, children }: ShellProps) {
  const data: OutlineEntry = { type, title, moduleId, isEmpty: items?.length === 0 };
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, ...drag } = useSortable({
    id,
    data,
    attributes: { roleDescription: "sortable" },
  });
  const { transform, transition, isDragging } = drag;
  const moved = transform && `translate3d(0, ${Math.round(transform.y)}px, 0)`;
  const inside = children(
    <button
      type="button"
      ref={setActivatorNodeRef}
      className={buttonStyles({ variant: "ghost", size: "icon", className: "outline-handle" })}
      {...attributes}
      {...listeners}
      aria-label={`Drag ${title}`}
    >
      <Icon of={GripVertical} />
    </button>,
  );
  return (
    <li
      id={id}
      ref={setNodeRef}
      className={className}
      data-dragging={isDragging || undefined}
      style={{ transform: moved ?? undefined, transition }}
    >
      {items ? (
        <SortableContext items={items} strategy={verticalListSortingStrategy}>
          {inside}
        </SortableContext>
      ) : (
        inside
      )}
    </li>
  );
}
