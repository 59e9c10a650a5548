import { Circle, CircleCheck, Lock } from "lucide-react";
import { Link } from "react-router";
import type { Player } from "../player.server.ts";
import { useLessonLink } from "./lesson-navigation.tsx";

type Modules = Player["modules"];
/** The modules and lessons in order, each with its state as an icon and as text. */
export function LessonList({ modules }: { modules: Modules }) {
  return (
    <nav aria-label="Course lessons" className="grid gap-7">
      {modules.map((module) => (
        <section key={module.id} aria-labelledby={`module-${module.id}`}>
          <h2 id={`module-${module.id}`} className="mb-2 font-sans text-sm font-semibold">
            {module.title}
          </h2>
          <ol className="grid gap-0.5">
            {module.lessons.map((lesson) => (
              <li key={lesson.id}>
                <LessonEntry lesson={lesson} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </nav>
  );
}

const row =
  "flex min-h-11 items-start gap-3 rounded-control px-2.5 py-2.5 text-sm leading-snug no-underline";

function LessonEntry({ lesson }: { lesson: Modules[number]["lessons"][number] }) {
  const to = useLessonLink();
  if (lesson.isLocked)
    return (
      // biome-ignore lint/a11y/useSemanticElements: a link that leads nowhere yet has no address
      <span
        role="link"
        aria-disabled="true"
        tabIndex={-1}
        className={`${row} cursor-not-allowed text-ink-soft`}
      >
        <Lock aria-hidden="true" size={18} strokeWidth={1.75} className="shrink-0 opacity-70" />
        <span className="min-w-0 grow wrap-anywhere">
          {lesson.title}
          <span className="sr-only"> (locked)</span>
          <span className="block text-xs">Opens {lesson.opens}</span>
        </span>
        <DayBadge day={lesson.dripDay} />
      </span>
    );
  const Icon = lesson.isCompleted ? CircleCheck : Circle;
  return (
    <Link
      to={to(lesson.key)}
      aria-current={lesson.isCurrent ? "true" : undefined}
      prefetch="intent"
      className={`${row} text-ink hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-semibold`}
    >
      {lesson.isCurrent && !lesson.isCompleted ? (
        <span className="grid size-[18px] shrink-0 place-items-center">
          <span className="dot" aria-hidden="true" />
        </span>
      ) : (
        <Icon
          aria-hidden="true"
          size={18}
          strokeWidth={1.75}
          className={`shrink-0 ${lesson.isCompleted ? "text-dot" : "text-ink-soft"}`}
        />
      )}
      <span className="min-w-0 grow wrap-anywhere">
        {lesson.title}
        {lesson.isCompleted && <span className="sr-only"> (completed)</span>}
      </span>
      <DayBadge day={lesson.dripDay} />
    </Link>
  );
}

function DayBadge({ day }: { day: number }) {
  if (day === 0) return null;
  return <span className="shrink-0 text-xs text-ink-soft tabular-nums">Day {day}</span>;
}
