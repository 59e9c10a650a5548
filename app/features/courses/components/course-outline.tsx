import { Dot } from "~/ui/brand.tsx";
import { titleParts } from "../rules.ts";
import type { CourseModule } from "../schema.ts";

export function CourseOutline({ modules }: { modules: CourseModule[] }) {
  const all = modules.flatMap(({ lessons }) => lessons);
  const hasDays = all.some(({ dripDay }) => dripDay > 0);
  return (
    <>
      <ol>
        {modules.map(({ id, title, lessons }) => (
          <li key={id} className="border-t border-line py-8 first:border-t-0 first:pt-0">
            <ModuleTitle title={title} />
            {lessons.length > 0 && <Lessons lessons={lessons} />}
          </li>
        ))}
      </ol>
      {all.length > 0 && (
        <p className="border-t border-line pt-6 text-sm text-ink-soft">
          {hasDays
            ? "Days are counted from the day you enroll. Lessons without a day are open at once. "
            : "All of it is open at once. "}
          <Dot className="ml-1" />
        </p>
      )}
    </>
  );
}

function Lessons({ lessons }: Pick<CourseModule, "lessons">) {
  return (
    <ol className="mt-4 grid gap-2.5">
      {lessons.map(({ id, title, dripDay }) => (
        <li key={id} className="flex items-baseline justify-between gap-6">
          <span className="min-w-0 wrap-anywhere">{title}</span>
          {dripDay > 0 && (
            <span className="shrink-0 text-sm text-ink-soft tabular-nums">Day {dripDay}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

function ModuleTitle({ title }: { title: string }) {
  const parts = titleParts(title);
  return (
    <h3 className="text-xl wrap-anywhere">
      {parts.number && (
        <span className="block font-sans text-sm font-normal [letter-spacing:normal] text-ink-soft">
          {parts.number}
          <span className="sr-only">: </span>
        </span>
      )}
      {parts.title}
    </h3>
  );
}
