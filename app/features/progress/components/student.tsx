import { Circle, CircleCheck, CircleDashed, Lock } from "lucide";
import { Icon } from "~/ui/icon.tsx";
import { Pager, type Pages } from "~/ui/list-tools.tsx";
import { Progress } from "~/ui/progress.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { StudentPage } from "../students.server.ts";

type Course = StudentPage["courses"][number];

/** The account of a student. */
export function StudentFacts({ student }: Pick<StudentPage, "student">) {
  return (
    <dl className="student-facts">
      <div>
        <dt>Email</dt>
        <dd className="people-address">
          <a href={`mailto:${student.email}`}>{student.email}</a>
          {!student.emailVerified && (
            <span className="people-mark people-mark-open">Not confirmed</span>
          )}
        </dd>
      </div>
      <div>
        <dt>Joined</dt>
        <dd>{student.joined}</dd>
      </div>
      {student.goes && (
        <div>
          <dt>Leaving</dt>
          <dd>
            {student.name} has asked for this account to be deleted. It goes on {student.goes}.
            Signing in before then can keep it.
          </dd>
        </div>
      )}
      {student.isAdmin && (
        <div>
          <dt>Role</dt>
          <dd>Administrator</dd>
        </div>
      )}
    </dl>
  );
}

/** One course of a student: the progress and, when expanded, each lesson with its date. */
export function StudentCourseProgress({ course, open }: { course: Course; open: boolean }) {
  const { id, title, until, total, completed, percent, modules } = course;
  return (
    <details className="studied" open={open} suppressHydrationWarning>
      <summary className="accordion-line">
        <h3 className="studied-head">
          {title} <Marks course={course} />
        </h3>
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

function Marks({ course: { isActive, isDeleted } }: { course: Course }) {
  if (isDeleted) return <span className="people-mark people-mark-open">Course deleted</span>;
  return isActive ? null : <span className="people-mark">Inactive</span>;
}

const icons = { completed: CircleCheck, open: Circle, opens: Lock, "not-completed": CircleDashed };

function StateIcon({
  kind,
}: {
  kind: Course["modules"][number]["lessons"][number]["state"]["kind"];
}) {
  return <Icon of={icons[kind]} data-state={kind} />;
}

type SentEmailsProps = Pick<StudentPage, "mails"> & Pages;

/** The emails that were sent to a student, newest first: that they were sent, not their content. */
export function SentEmails({ mails, previous, next, here }: SentEmailsProps) {
  if (mails.length === 0)
    return <p className="student-nothing">No email has been sent to this address yet.</p>;
  return (
    <>
      <Table caption="Emails">
        <TableHead>
          <Th>Subject</Th>
          <Th>About</Th>
          <Th>When</Th>
        </TableHead>
        <TableBody>
          {mails.map((mail) => (
            <Row key={mail.id}>
              <Td rowHeader>
                <span className="wrap-anywhere">{mail.subject}</span>
              </Td>
              <Td>{mail.about}</Td>
              <Td>
                <span className="people-date">{mail.sent}</span>
              </Td>
            </Row>
          ))}
        </TableBody>
      </Table>
      <Pager here={here} previous={previous} next={next} />
    </>
  );
}
