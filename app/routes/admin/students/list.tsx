import { useLocation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { listCourseFilters } from "~/features/courses/products/queries.server.ts";
import { StudentList } from "~/features/learning/students/components/student-list.tsx";
import { listStudents } from "~/features/learning/students/queries.server.ts";
import { studentSorts } from "~/features/learning/students/schema.ts";
import { loadFailed } from "~/features/learning/students/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { DeskPage } from "~/ui/desk.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import type { Route } from "./+types/list.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const params = readListParams(url, studentSorts);
  const { search, courseId, sort, direction } = params;
  const asked = { search, courseId, sort, direction };
  try {
    const [{ rows, previous, next }, courses] = await Promise.all([
      listStudents(services, { ...params, limit: rowsAPage }),
      listCourseFilters(services),
    ]);
    const timeZone = context.get(timeZoneContext);
    const lines = rows.map(({ createdAt, suspendedAt, ...row }) => ({
      ...row,
      isSuspended: suspendedAt !== null,
      joined: shortDate(createdAt, timeZone),
    }));
    return { asked, list: { lines, previous, next, courses } };
  } catch (error) {
    services.log.error({ err: error }, "the list of students could not be read");
    return { asked, list: null };
  }
}

export default function StudentsPage({ loaderData }: Route.ComponentProps) {
  const { asked, list } = loaderData;
  const here = useLocation();
  return (
    <DeskPage
      title="Students"
      lead="Everybody who has an account."
      back={{ href: "/admin/enrollments", label: "Enrollments" }}
    >
      <PageHead title="Students" noindex />
      {list ? (
        <StudentList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={loadFailed.students} href={here.pathname + here.search} />
      )}
    </DeskPage>
  );
}
