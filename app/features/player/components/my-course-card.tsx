import { ButtonLink } from "~/ui/button.tsx";
import { Card } from "~/ui/card.tsx";
import { Progress } from "~/ui/progress.tsx";
import type { MyCourse } from "../player.server.ts";

/** One of the student's courses with progress and link. */
export function MyCourseCard({ course }: { course: MyCourse }) {
  const verb = course.percent > 0 ? "Continue Learning" : "Start Course";
  return (
    <Card as="li">
      <h2 className="text-2xl">{course.title}</h2>
      {course.description && <p className="mt-3 text-ink-soft">{course.description}</p>}
      <div className="mt-auto pt-8">
        <Progress value={course.percent} label={`${course.percent}% Complete`} />
        <p className="mt-6">
          <ButtonLink href={`/courses/${course.slug}/learn`}>
            {verb}
            <span className="sr-only">: {course.title}</span>
          </ButtonLink>
        </p>
      </div>
    </Card>
  );
}
