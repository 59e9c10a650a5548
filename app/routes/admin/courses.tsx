import { data, useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { CourseTable } from "~/features/courses/components/course-table.tsx";
import { DeleteCourseDialog } from "~/features/courses/components/delete-dialog.tsx";
import { courseSorts, listCourses, setActive } from "~/features/courses/courses.server.ts";
import { deleteCourse } from "~/features/courses/deletion.server.ts";
import { previewCourseDeletion } from "~/features/courses/deletion-preview.server.ts";
import {
  courseLoadFailed,
  courseMessages,
  savedMessage,
  saveFailed,
} from "~/features/courses/messages.ts";
import { formatPrice } from "~/features/courses/rules.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import emptyPath from "~/ui/illustrations/empty-path.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { List, type ListAddress, listAddress, rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/courses.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = readListParams(url, courseSorts);
  try {
    const [{ rows, ...pages }, deletion] = await Promise.all([
      listCourses(services, { ...asked, limit: rowsAPage }),
      previewCourseDeletion(services, url.searchParams.get("delete") ?? ""),
    ]);
    const courses = rows.map(({ sortValue: _, priceCents, ...course }) => ({
      ...course,
      price: formatPrice(priceCents),
    }));
    return { asked, list: { courses, ...pages }, deletion };
  } catch (error) {
    services.log.error({ err: error }, courseLoadFailed.courses);
    return { asked, list: null, deletion: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, id = "" } = await formFields(request);
  const back = listAddress(url);
  try {
    if (intent === "delete") {
      await deleteCourse(services, id);
      return redirectWithToast(back, savedMessage("Course", "deleted"));
    }
    if (intent !== "activate" && intent !== "deactivate") throw data(null, 400);
    const active = intent === "activate";
    await setActive(services, { id, active });
    return redirectWithToast(back, active ? courseMessages.activated : courseMessages.deactivated);
  } catch (error) {
    const fallback = intent === "delete" ? saveFailed.courseDelete : saveFailed.courseUpdate;
    return redirectWithToast(back, failure(services, error, fallback).toast);
  }
}

export default function CoursesPage({ loaderData }: Route.ComponentProps) {
  const { asked, list, deletion } = loaderData;
  const here = useLocation();
  return (
    <AdminPage
      title="Courses"
      lead="What you teach. Only active courses can be seen on the site."
      actions={
        <>
          <ButtonLink href="/admin/courses/deleted" variant="ghost">
            Recently deleted
          </ButtonLink>
          <ButtonLink href="/admin/courses/new">New course</ButtonLink>
        </>
      }
    >
      <PageHead title="Courses - Admin" noindex />
      {list ? (
        <CourseList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={courseLoadFailed.courses} href={listAddress(here)} />
      )}
      {deletion && <DeleteCourseDialog deletion={deletion} closeHref={listAddress(here)} />}
    </AdminPage>
  );
}

type Data = Route.ComponentProps["loaderData"];
type ListProps = NonNullable<Data["list"]> & { asked: Data["asked"]; here: ListAddress };

function CourseList({ courses, asked, here, ...pages }: ListProps) {
  return (
    <List
      {...{ here, ...pages }}
      things="courses"
      searchLabel="Search by title or slug"
      search={asked.search}
      empty={
        <EmptyState
          title="No courses yet"
          picture={<Illustration drawing={emptyPath} />}
          action={<ButtonLink href="/admin/courses/new">New course</ButtonLink>}
        >
          <p>Make the first one. Nobody sees it until you activate it.</p>
        </EmptyState>
      }
      notFound={{
        title: "Nothing found",
        hint: `No course has “${asked.search}” in its title or slug.`,
      }}
      exportPath="/admin/export/courses"
    >
      {courses.length > 0 && <CourseTable {...{ courses, here, asked }} />}
    </List>
  );
}
