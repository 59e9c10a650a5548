import { Circle, CircleCheck, CircleDashed, Lock } from "lucide-react";
import { Progress } from "~/ui/progress.tsx";

/** In the coach's time zone. */
export type StateLine = { kind: "completed" | "open" | "opens" | "not-completed"; words: string };

export type CourseLines = {
  id: string;
  title: string;
  isActive: boolean;
  isDeleted: boolean;
  stripePaymentId: string | null;
  since: string;
  until: string | null;
  completed: number;
  total: number;
  percent: number;
  modules: {
    id: string;
    title: string;
    lessons: { id: string; title: string; state: StateLine }[];
  }[];
};

/** One course of a student: the progress and, when expanded, each lesson with its date. */
export function StudentCourseProgress({ course, open }: { course: CourseLines; open: boolean }) {
  const { id, title, until, total, completed, percent, modules } = course;
  return (
    <details className="studied" open={open} suppressHydrationWarning>
      <summary>
        <span className="studied-head">
          <h3>{title}</h3>
          <Marks course={course} />
        </span>
        <span className="studied-facts">
          {until ? `${course.since} to ${until}` : `Since ${course.since}`}
          {course.stripePaymentId && (
            <span className="studied-payment">Payment: {course.stripePaymentId}</span>
          )}
        </span>
        <span className="studied-percent">
          {total === 0 ? "No lessons" : <Progress value={percent} label={`${percent}% Complete`} />}
        </span>
        <span className="accordion-sign" aria-hidden="true" />
      </summary>
      <div className="studied-body">
        <p className="studied-more">
          {total > 0 && `${completed} of ${total} lessons completed.`}{" "}
          {!until && <a href={`/admin/enrollments/${id}`}>Open the enrollment</a>}
        </p>
        {modules.map((module) => (
          <section key={module.id} className="studied-module">
            <h4>{module.title}</h4>
            <ol>
              {module.lessons.map((lesson) => (
                <li key={lesson.id}>
                  <StateIcon kind={lesson.state.kind} />
                  <span className="studied-lesson">{lesson.title}</span>
                  <span className="studied-state">{lesson.state.words}</span>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </details>
  );
}

function Marks({ course: { isActive, isDeleted } }: { course: CourseLines }) {
  if (isDeleted) return <span className="people-mark people-mark-open">Course deleted</span>;
  return isActive ? null : <span className="people-mark">Inactive</span>;
}

const icons = { completed: CircleCheck, open: Circle, opens: Lock, "not-completed": CircleDashed };

function StateIcon({ kind }: { kind: StateLine["kind"] }) {
  const Icon = icons[kind];
  return <Icon aria-hidden="true" data-state={kind} strokeWidth={1.75} />;
}
