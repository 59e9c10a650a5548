import { Card } from "~/ui/card.tsx";
import type { Course } from "../schema.ts";

/** A course in the list: title, description, and the way to its page. */
export function CourseCard({ course }: { course: Course }) {
  return (
    <Card as="li">
      <h2 className="text-2xl">{course.title}</h2>
      {course.description && <p className="mt-3 mb-8 text-ink-soft">{course.description}</p>}
      <p className="mt-auto">
        <a className="card-link font-[550] text-dot" href={`/courses/${course.slug}`}>
          Learn more
          <span className="sr-only"> about {course.title}</span>
        </a>
      </p>
    </Card>
  );
}
