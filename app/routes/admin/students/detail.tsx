import { data, useLocation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { SentMails } from "~/features/learning/students/components/sent-mails.tsx";
import { StudentFacts } from "~/features/learning/students/components/student-facts.tsx";
import { StudiedCourse } from "~/features/learning/students/components/studied-course.tsx";
import { getStudent } from "~/features/learning/students/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { DeskPage } from "~/ui/desk.tsx";
import type { Route } from "./+types/detail.ts";

const mailsAPage = 20;

export async function loader({ context, url, params }: Route.LoaderArgs) {
  adminOf(context, url);
  const student = await getStudent(servicesOf(context), {
    id: params.id,
    cursor: url.searchParams.get("at"),
    limit: mailsAPage,
    timeZone: context.get(timeZoneContext),
  });
  if (!student) throw data(null, 404);
  return student;
}

export default function StudentPage({ loaderData }: Route.ComponentProps) {
  const { student, courses, former, mails, previous, next } = loaderData;
  const here = useLocation();
  const enrollHref = `/admin/enrollments/new?user=${student.id}`;
  return (
    <DeskPage
      title={student.name}
      back={{ href: "/admin/students", label: "All students" }}
      actions={
        <ButtonLink variant="outline" href={enrollHref}>
          Enroll in a course
        </ButtonLink>
      }
    >
      <PageHead title={student.name} noindex />
      <StudentFacts student={student} />
      <section aria-labelledby="courses" className="student-part">
        <h2 id="courses">Courses</h2>
        {courses.length === 0 && (
          <p className="student-nothing">
            Not enrolled in any course. <a href={enrollHref}>Enroll in a course</a>
          </p>
        )}
        {courses.map((course) => (
          <StudiedCourse key={course.id} course={course} open={courses.length === 1} />
        ))}
      </section>
      {former.length > 0 && (
        <section aria-labelledby="former" className="student-part">
          <h2 id="former">Former enrollments</h2>
          {former.map((course) => (
            <StudiedCourse key={course.id} course={course} open={false} />
          ))}
        </section>
      )}
      <section aria-labelledby="mails" className="student-part">
        <h2 id="mails">Mails sent</h2>
        <SentMails mails={mails} previous={previous} next={next} here={here} />
      </section>
    </DeskPage>
  );
}
