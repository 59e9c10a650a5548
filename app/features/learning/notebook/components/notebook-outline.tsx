import { journalPath } from "../../notebook/texts.ts";
import type { Notebook } from "../queries.server.ts";

/** Above so many lessons in all, each course's list is closed at first. */
const openUpTo = 12;

type Props = { outline: Notebook["outline"]; page: number };

/** The way to each lesson's entry, on this page of the journal or another. */
export function NotebookOutline({ outline, page }: Props) {
  const all = outline.reduce((sum, { lessons }) => sum + lessons.length, 0);
  if (all < 2) return null;
  return (
    <nav aria-label="In your journal" className="notebook-outline">
      {outline.map((course) => (
        <details key={course.id} open={all <= openUpTo} suppressHydrationWarning>
          <summary>
            <span>{course.title}</span>
            <span className="notebook-outline-count">
              {course.lessons.length} {course.lessons.length === 1 ? "lesson" : "lessons"}
            </span>
            <span className="accordion-sign" aria-hidden="true" />
          </summary>
          <ol>
            {course.lessons.map((lesson) => (
              <li key={lesson.id}>
                <a
                  href={`${lesson.page === page ? "" : `${journalPath}?page=${lesson.page}`}#lesson-${lesson.id}`}
                >
                  <span>{lesson.title}</span>
                  <span className="notebook-outline-when">{lesson.when}</span>
                </a>
              </li>
            ))}
          </ol>
        </details>
      ))}
    </nav>
  );
}
