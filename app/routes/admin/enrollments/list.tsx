import { useLocation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { listCourseFilters } from "~/features/courses/products/queries.server.ts";
import { hasWaiting } from "~/features/enrollments/invitations/queries.server.ts";
import { Roster } from "~/features/enrollments/roster/components/roster.tsx";
import { listEnrollments } from "~/features/enrollments/roster/queries.server.ts";
import { rosterSorts } from "~/features/enrollments/roster/schema.ts";
import { messages } from "~/features/enrollments/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { DeskPage } from "~/ui/desk.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import type { Route } from "./+types/list.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const params = readListParams(url, rosterSorts);
  const { search, courseId, sort, direction } = params;
  const asked = { search, courseId, sort, direction };
  try {
    const [{ rows, previous, next }, courses, isAnyoneInvited] = await Promise.all([
      listEnrollments(services, { ...params, limit: rowsAPage }),
      listCourseFilters(services),
      hasWaiting(services),
    ]);
    const timeZone = context.get(timeZoneContext);
    const lines = rows.map(({ createdAt, ...row }) => ({
      ...row,
      since: shortDate(createdAt, timeZone),
    }));
    return { asked, isAnyoneInvited, list: { lines, previous, next, courses } };
  } catch (error) {
    services.log.error({ err: error }, "the list of enrollments could not be read");
    return { asked, isAnyoneInvited: false, list: null };
  }
}

export default function EnrollmentsPage({ loaderData }: Route.ComponentProps) {
  const { asked, isAnyoneInvited, list } = loaderData;
  const here = useLocation();
  return (
    <DeskPage
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
        <Roster {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={messages.loadFailed} href={here.pathname + here.search} />
      )}
    </DeskPage>
  );
}
