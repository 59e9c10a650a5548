import { ArrowLeft, ArrowRight } from "lucide";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { buttonStyles } from "~/ui/button-styles.ts";
import { Icon } from "~/ui/icon.tsx";
import { previewQuery } from "../rules.ts";

type Props = { previousKey: string | null; nextKey: string | null; children?: ReactNode };

/** 'Previous', the completing button, 'Next Lesson' (spec 2, Lesson player). */
export function LessonNavigation({ previousKey, nextKey, children }: Props) {
  const to = useLessonLink();
  return (
    <div className="mt-10 flex flex-wrap items-start gap-3 border-t border-line pt-6">
      {previousKey && (
        <Link
          to={to(previousKey)}
          className={buttonStyles({
            variant: "outline",
            className: "max-sm:order-last max-sm:grow",
          })}
        >
          <Icon of={ArrowLeft} />
          Previous
        </Link>
      )}
      <div className="flex grow flex-wrap justify-end gap-3 max-sm:basis-full max-sm:*:grow">
        {children}
        {nextKey && (
          <Link
            to={to(nextKey)}
            prefetch="intent"
            className={buttonStyles({ variant: children ? "outline" : "default" })}
          >
            Next Lesson
            <Icon of={ArrowRight} />
          </Link>
        )}
      </div>
    </div>
  );
}

/** The URL of a lesson by its key. An administrator's student view and its day stay on. */
export function useLessonLink(): (key: string) => string {
  const [search] = useSearchParams();
  return (key) => previewQuery(search, { lesson: key });
}
