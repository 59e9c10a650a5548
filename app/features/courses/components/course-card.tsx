import { Card } from "~/ui/card.tsx";
import type { Course } from "../schema.ts";

type CourseCardProps = {
  course: Course;
  remark?: string | undefined;
};

/** A course in the list, with a link to its page. */
export function CourseCard({ course, remark }: CourseCardProps) {
  return (
    <Card as="li" className="gap-4">
      {/* A clamped box would cut off descenders at a tighter line height. */}
      <h2 className="line-clamp-4 text-2xl leading-[1.2] sm:text-3xl sm:leading-[1.2]">
        {course.title}
      </h2>
      {course.description && <p className="line-clamp-12 text-ink-soft">{course.description}</p>}
      <p className="mt-auto flex flex-wrap items-baseline gap-x-6 pt-6">
        <a className="card-link" href={`/courses/${course.slug}`}>
          Learn more
          <span className="sr-only"> about {course.title}</span>
        </a>
        {remark && <span className="text-sm text-ink-soft">{remark}</span>}
      </p>
    </Card>
  );
}
