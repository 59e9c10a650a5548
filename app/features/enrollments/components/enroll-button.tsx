import type { ReactNode } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { labels } from "../texts.ts";

type EnrollButtonProps = {
  slug: string;
  isEnrolled: boolean;
  /** What the button that sells says: 'Enroll Now', with or without a price. */
  label: string;
  /** Stands here instead, while the course is not sold. */
  instead?: ReactNode;
};

/**
 * The one button of a course page. Enrolled, it is the way to the lessons. Else it posts to the
 * page, whose action says what follows; site.ts makes it say 'Processing...' on the way.
 */
export function EnrollButton({ slug, isEnrolled, label, instead = null }: EnrollButtonProps) {
  const page = `/courses/${slug}`;
  if (isEnrolled)
    return (
      <ButtonLink href={`${page}/learn`} size="xl" variant="hero">
        {labels.goOn}
      </ButtonLink>
    );
  if (instead) return instead;
  return (
    <form method="post" action={page} data-busy-form className="contents">
      <Button type="submit" size="xl" variant="hero" busyLabel={labels.processing}>
        {label}
      </Button>
    </form>
  );
}
