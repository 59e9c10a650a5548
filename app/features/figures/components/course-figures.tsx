import { Download } from "lucide";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import type { CourseSums as Figures } from "../course-figures.server.ts";

/** Where the students of a course are: a bar a lesson, how soon they begin, where they stop. */
export function CourseFigures({ figures }: { figures: Figures }) {
  const { id, students, lessons, first, stops, newest } = figures;
  return (
    <div className="admin-desk">
      <section className="admin-part" aria-labelledby="beginning">
        <h2 id="beginning">How they begin</h2>
        <p>
          {students === 1 ? "One student is" : `${students.toLocaleString("en-US")} students are`}{" "}
          in this course now. {first}
        </p>
      </section>
      <section className="admin-part" aria-labelledby="lessons">
        <h2 id="lessons">Lesson by lesson</h2>
        {lessons.length === 0 ? (
          <p className="text-ink-soft">This course has no lessons yet.</p>
        ) : (
          <>
            <p className="figures-about">
              Thin: how many have opened it. Thick: how many have completed it. Who has left counts
              as well.
            </p>
            <LessonBars lessons={lessons} />
            <p className="figures-more">
              <ButtonLink
                variant="ghost"
                size="sm"
                download
                href={`/admin/export/course-progress?course=${id}`}
              >
                <Icon of={Download} /> Export as CSV
              </ButtonLink>
            </p>
          </>
        )}
      </section>
      <section className="admin-part" aria-labelledby="stops">
        <h2 id="stops">Where people stop</h2>
        {stops.length === 0 ? (
          <p className="text-ink-soft">No one has been quiet for three weeks.</p>
        ) : (
          <ul className="admin-rows">
            {stops.map((stop) => (
              <li key={stop.id}>
                <span className="min-w-0 wrap-anywhere">
                  <a href={`/admin/lessons/${stop.id}`}>{stop.title}</a>: {stop.words}
                </span>
              </li>
            ))}
          </ul>
        )}
        <p className="figures-about mt-3">
          Of the last {newest} who enrolled: those who have not finished, and for three weeks have
          neither opened nor completed a lesson.
        </p>
      </section>
    </div>
  );
}

function LessonBars({ lessons }: Pick<Figures, "lessons">) {
  return (
    <table className="lesson-bars">
      <thead>
        <tr>
          <th scope="col">Lesson</th>
          <th scope="col">
            <span className="sr-only">As bars</span>
          </th>
          <th scope="col">Opened</th>
          <th scope="col">Completed</th>
        </tr>
      </thead>
      <tbody>
        {lessons.map(({ id, title, module, opened, completed, bars }, at) => (
          <tr key={id}>
            <th scope="row">
              {module !== lessons[at - 1]?.module && <span>{module}</span>}
              {title}
            </th>
            <td>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={bars?.opened} height="2" y="1" />
                <rect width={bars?.completed} height="5" y="4" />
              </svg>
            </td>
            <td>{opened}</td>
            <td>{completed}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
