import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import type { OutlineModule } from "../ordering.server.ts";
import { ModuleEntry } from "./outline-module.tsx";
import { ShellContext, type ShellProps, type SortableProps } from "./sortable.tsx";
import { useOrder } from "./use-order.ts";

type Props = {
  courseId: string;
  slug: string;
  modules: OutlineModule[];
  /** Stands above the modules. */
  children?: ReactNode;
};

/** A course's outline. Saves changes at once; without scripts, arrows and 'Move to' still work. */
export function Outline({ courseId, slug, modules, children }: Props) {
  const { shown, change, status } = useOrder(courseId, modules);
  const list = useRef<HTMLDivElement>(null);
  const Sortable = useSortable(list);
  const keepFocus = useRestoredFocus(shown);
  const titles = new Map(
    modules.flatMap(({ id, title, lessons }) => [
      [id, title] as const,
      ...lessons.map((lesson) => [lesson.id, lesson.title] as const),
    ]),
  );
  const entries = (arranged: OutlineModule[]) => (
    <ol className="course-outline">
      {arranged.map((module, index) => (
        <ModuleEntry
          key={module.id}
          module={module}
          index={index}
          modules={arranged}
          slug={slug}
          onChange={(asked) => {
            keepFocus();
            change(asked);
          }}
        />
      ))}
    </ol>
  );
  return (
    <section aria-labelledby="outline-title" className="min-w-0">
      <div className="outline-head">
        <h2 id="outline-title">Modules and lessons</h2>
        <ButtonLink size="sm" variant="outline" href={`/admin/modules/new?course=${courseId}`}>
          Add module
        </ButtonLink>
      </div>
      <p role="status" className="outline-status">
        {status}
      </p>
      {children}
      {modules.length === 0 ? (
        <EmptyState title="No modules yet">
          <p>A course is made of modules, and a module of lessons. Add the first module.</p>
        </EmptyState>
      ) : (
        <div ref={list}>
          {Sortable ? (
            <Sortable modules={shown} titles={titles} onChange={change}>
              {entries}
            </Sortable>
          ) : (
            <ShellContext value={PlainShell}>{entries(shown)}</ShellContext>
          )}
        </div>
      )}
    </section>
  );
}

function PlainShell({ id, className, children }: ShellProps) {
  return (
    <li id={id} className={className}>
      {children(null)}
    </li>
  );
}

function useRestoredFocus(shown: OutlineModule[]) {
  const name = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each new order
  useEffect(() => {
    if (!name.current || document.activeElement !== document.body) return;
    document
      .querySelector<HTMLElement>(`.course-outline [aria-label="${CSS.escape(name.current)}"]`)
      ?.focus();
  }, [shown]);
  return () => {
    name.current = document.activeElement?.getAttribute("aria-label") ?? null;
  };
}

const ignore = () => {};

const calmMs = 500;

/** Loaded after the page, and mounted only while the list is not in use: mounting recreates every
 * entry, and a press that had begun would be lost. */
function useSortable(list: { current: HTMLElement | null }) {
  const [Sortable, setSortable] = useState<ComponentType<SortableProps> | null>(null);
  useEffect(() => {
    let isThere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isBusy = () =>
      list.current?.contains(document.activeElement) || list.current?.querySelector("[open]");
    void import("./sortable.tsx").then(({ Sortable }) => {
      const put = () => {
        if (isThere && !isBusy()) setSortable(() => Sortable);
        else if (isThere) timer = setTimeout(put, calmMs);
      };
      put();
      // If it fails to load, the arrows and 'Move to' still work.
    }, ignore);
    return () => {
      isThere = false;
      clearTimeout(timer);
    };
  }, [list]);
  return Sortable;
}
