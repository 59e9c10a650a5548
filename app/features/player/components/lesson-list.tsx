import { type MouseEvent, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { PrefetchPageLinks, useNavigate } from "react-router";
import type { Player } from "../player.server.ts";
import { useLessonLink } from "./lesson-navigation.tsx";

type Modules = Player["modules"];
type Entry = Modules[number]["lessons"][number];

/** The modules and lessons in order, each with its state as an icon and as text. A course may have
 * hundreds, and each page has the whole list: icons are drawn by the style sheet, and the presses of
 * all links are handled here. */
export function LessonList({ modules, current }: { modules: Modules; current?: string }) {
  const to = useLessonLink();
  const presses = useLessonPresses();
  return (
    <nav aria-label="Course lessons" className="grid gap-7" {...presses.handlers}>
      {modules.map((module) => (
        <section key={module.id} aria-labelledby={`module-${module.id}`}>
          <h2 id={`module-${module.id}`} className="mb-2 font-sans text-sm font-semibold">
            {module.title}
          </h2>
          <ol className="grid gap-0.5">
            {module.lessons.map((lesson) => (
              <li key={lesson.key}>
                {lesson.state === "locked" ? (
                  <LockedEntry lesson={lesson} />
                ) : (
                  <OpenEntry
                    lesson={lesson}
                    href={to(lesson.key)}
                    isCurrent={lesson.key === current}
                  />
                )}
              </li>
            ))}
          </ol>
        </section>
      ))}
      {presses.intended && <PrefetchPageLinks page={presses.intended} />}
    </nav>
  );
}

function LockedEntry({ lesson: { title, opens, day } }: { lesson: Entry }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a link that leads nowhere yet has no address
    <span role="link" aria-disabled="true" tabIndex={-1} className="lesson-row">
      <span className="lesson-row-title">
        {title}
        <span className="sr-only"> (locked)</span>
        <span className="block text-xs">{`Opens ${opens}`}</span>
      </span>
      <DayBadge day={day} />
    </span>
  );
}

type OpenProps = { lesson: Entry; href: string; isCurrent: boolean };

function OpenEntry({ lesson: { title, state, day }, href, isCurrent }: OpenProps) {
  const isCompleted = state === "completed";
  return (
    <a
      href={href}
      className="lesson-row"
      data-completed={isCompleted || undefined}
      aria-current={isCurrent || undefined}
    >
      <span className="lesson-row-title">
        {title}
        {isCompleted && <span className="sr-only"> (completed)</span>}
      </span>
      <DayBadge day={day} />
    </a>
  );
}

function DayBadge({ day }: { day: number }) {
  return day === 0 ? null : <span className="lesson-row-day">{`Day ${day}`}</span>;
}

const linkIn = ({ target }: SyntheticEvent) =>
  (target as Element).closest<HTMLAnchorElement>("a[href]");

/** As long as a pointer or the focus rests on a link before its lesson is fetched, in ms. */
const intentMs = 100;

/** What the router's `Link` does for one link, for all of the list. */
function useLessonPresses() {
  const navigate = useNavigate();
  const [intended, setIntended] = useState<string | null>(null);
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function onClick(event: MouseEvent) {
    const link = linkIn(event);
    const isOpenedElsewhere = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
    if (!link || event.defaultPrevented || isOpenedElsewhere) return;
    event.preventDefault();
    void navigate(link.search, { replace: link.search === window.location.search });
  }
  function onIntent(event: SyntheticEvent) {
    clearTimeout(timer.current);
    const link = linkIn(event);
    if (!link) return;
    timer.current = window.setTimeout(() => setIntended(link.pathname + link.search), intentMs);
  }
  return {
    intended,
    handlers: { onClick, onMouseOver: onIntent, onFocus: onIntent, onTouchStart: onIntent },
  };
}
