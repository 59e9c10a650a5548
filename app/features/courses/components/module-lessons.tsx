import { Eye } from "lucide-react";
import { ButtonLink } from "~/ui/button.tsx";

type Props = {
  moduleId: string;
  /** The slug of the course. */
  slug: string;
  lessons: { id: string; title: string; slug: string }[];
};

/** A module's lessons in order. They are reordered on the course page. */
export function ModuleLessons({ moduleId, slug, lessons }: Props) {
  return (
    <section aria-labelledby="lessons-title" className="min-w-0">
      <div className="outline-head mb-3">
        <h2 id="lessons-title">Lessons</h2>
        <ButtonLink size="sm" variant="outline" href={`/admin/lessons/new?module=${moduleId}`}>
          Add lesson
        </ButtonLink>
      </div>
      {lessons.length === 0 ? (
        <p className="outline-empty">No lessons yet.</p>
      ) : (
        <ol className="outline-module module-lessons">
          {lessons.map((lesson) => (
            <li key={lesson.id} className="outline-row outline-lesson">
              <span className="outline-title">
                <a href={`/admin/lessons/${lesson.id}`}>{lesson.title}</a>
              </span>
              <ButtonLink
                variant="ghost"
                size="icon"
                href={`/courses/${slug}/learn?view=student&lesson=${encodeURIComponent(`${lesson.slug}~${lesson.id}`)}`}
                aria-label={`View ${lesson.title} as a student`}
              >
                <Eye aria-hidden="true" strokeWidth={1.75} />
              </ButtonLink>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
