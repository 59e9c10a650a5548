import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { listCourseFilters } from "~/features/courses/courses.server.ts";
import { EnrollmentList } from "~/features/enrollments/components/enrollment-list.tsx";
import { hasPendingInvitations } from "~/features/enrollments/invitations.server.ts";
import {
  enrollmentSorts,
  listEnrollments,
} from "~/features/enrollments/manual-enrollments.server.ts";
import { enrollmentMessages } from "~/features/enrollments/messages.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/enrollments.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = readListParams(url, enrollmentSorts);
  try {
    const [{ rows, ...pages }, courses, isAnyoneInvited] = await Promise.all([
      listEnrollments(services, { ...asked, limit: rowsAPage }),
      listCourseFilters(services),
      hasPendingInvitations(services),
    ]);
    const timeZone = context.get(timeZoneContext);
    const lines = rows.map(({ createdAt, ...row }) => ({
      ...row,
      since: shortDate(createdAt, timeZone),
    }));
    return { asked, isAnyoneInvited, list: { lines, ...pages, courses } };
  } catch (error) {
    services.log.error({ err: error }, "the list of enrollments could not be read");
    return { asked, isAnyoneInvited: false, list: null };
  }
}

export default function EnrollmentsPage({ loaderData }: Route.ComponentProps) {
  const { asked, isAnyoneInvited, list } = loaderData;
  const here = useLocation();
  return (
    <AdminPage
      title="Enrollments"
      lead={
        <>
          Who may study what, and since when.{" "}
          {isAnyoneInvited && (
            <a href="/admin/enrollments/invite#waiting">Some invitations are waiting.</a>
          )}
        </>
      }
      actions={
        <>
          <ButtonLink href="/admin/students" variant="ghost">
            All students
          </ButtonLink>
          <ButtonLink href="/admin/enrollments/invite" variant="outline">
            Invite by email
          </ButtonLink>
          <ButtonLink href="/admin/enrollments/new">New enrollment</ButtonLink>
        </>
      }
    >
      <PageHead title="Enrollments" noindex />
      {list ? (
        <EnrollmentList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={enrollmentMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
