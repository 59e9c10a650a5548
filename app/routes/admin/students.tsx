import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { listCourseFilters } from "~/features/courses/courses.server.ts";
import { StudentList } from "~/features/progress/components/student-list.tsx";
import {
  listStudentsWithProgress,
  progressWords,
  studentSorts,
} from "~/features/progress/students.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/students.ts";

const loadFailed = "Failed to load students";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = readListParams(url, studentSorts);
  try {
    const [{ rows, ...pages }, courses] = await Promise.all([
      listStudentsWithProgress(services, { ...asked, limit: rowsAPage }),
      listCourseFilters(services),
    ]);
    const timeZone = context.get(timeZoneContext);
    const lines = rows.map(({ createdAt, suspendedAt, progress, ...row }) => ({
      ...row,
      isSuspended: suspendedAt !== null,
      joined: shortDate(createdAt, timeZone),
      progress: progressWords(progress),
      last: progress?.lastAt ? shortDate(progress.lastAt, timeZone) : "",
    }));
    return { asked, list: { lines, ...pages, courses } };
  } catch (error) {
    services.log.error({ err: error }, "the list of students could not be read");
    return { asked, list: null };
  }
}

export default function StudentsPage({ loaderData }: Route.ComponentProps) {
  const { asked, list } = loaderData;
  const here = useLocation();
  return (
    <AdminPage title="Students" lead="Everybody who has an account.">
      <PageHead title="Students" noindex />
      {list ? (
        <StudentList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
