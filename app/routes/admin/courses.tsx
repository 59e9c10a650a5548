import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { CourseList, CourseListActions } from "~/features/courses/components/course-list.tsx";
import { changeCourse, readCourseList } from "~/features/courses/course-list.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { listAddress, rowsAPage } from "~/ui/list-tools.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/courses.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return readCourseList(servicesOf(context), url, rowsAPage);
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  return changeCourse(servicesOf(context), await formFields(request), listAddress(url));
}

export default function CoursesPage({ loaderData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Courses"
      lead="What you teach. Only active courses can be seen on the site."
      actions={<CourseListActions />}
    >
      <PageHead title="Courses - Admin" noindex />
      <CourseList {...loaderData} here={useLocation()} />
    </AdminPage>
  );
}
