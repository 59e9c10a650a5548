import { data, useLocation, useNavigation } from "react-router";
import { SuspensionPanel } from "~/features/accounts/components/suspension-panel.tsx";
import { suspensionMessages } from "~/features/accounts/messages.ts";
import { suspend, unsuspend } from "~/features/accounts/suspension.server.ts";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import {
  SentEmails,
  StudentCourseProgress,
  StudentFacts,
} from "~/features/progress/components/student.tsx";
import { getStudent } from "~/features/progress/students.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/student-detail.ts";

const mailsAPage = 20;

export async function loader({ context, url, params }: Route.LoaderArgs) {
  const admin = requireAdmin(context, url);
  const student = await getStudent(servicesOf(context), {
    id: params.id,
    cursor: url.searchParams.get("at"),
    limit: mailsAPage,
    timeZone: context.get(timeZoneContext),
  });
  if (!student) throw data(null, 404);
  return { ...student, isSelf: admin.id === params.id };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id: by } = requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, reason = "" } = await formFields(request);
  if (intent !== "suspend" && intent !== "let-in") throw data(null, 400);
  try {
    if (intent === "suspend") await suspend(services, { id: params.id, reason, by });
    else await unsuspend(services, params.id);
    const done = intent === "suspend" ? suspensionMessages.suspended : suspensionMessages.letIn;
    return redirectWithToast(url.pathname, done);
  } catch (error) {
    const { status, toast } = failure(services, error, suspensionMessages.failed);
    return data({ reason }, { status, headers: flash(request, context, toast) });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function StudentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { student, suspended, courses, former, mails, previous, next, isSelf } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const typed = actionData && "reason" in actionData ? actionData.reason : "";
  const here = useLocation();
  const enrollHref = `/admin/enrollments/new?user=${student.id}`;
  return (
    <AdminPage
      title={student.name}
      above={[{ href: "/admin/students", label: "Students" }]}
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
          <StudentCourseProgress key={course.id} course={course} open={courses.length === 1} />
        ))}
      </section>
      {former.length > 0 && (
        <section aria-labelledby="former" className="student-part">
          <h2 id="former">Former enrollments</h2>
          {former.map((course) => (
            <StudentCourseProgress key={course.id} course={course} open={false} />
          ))}
        </section>
      )}
      <section aria-labelledby="mails" className="student-part">
        <h2 id="mails">Emails</h2>
        <SentEmails mails={mails} previous={previous} next={next} here={here} />
      </section>
      {!isSelf && (
        <SuspensionPanel
          key={String(suspended !== null)}
          name={student.name}
          suspended={suspended}
          isAdmin={student.isAdmin}
          typed={typed}
          busy={busy}
        />
      )}
    </AdminPage>
  );
}
