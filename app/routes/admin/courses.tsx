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
import { failure } from "~/platform/http/failure.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { EmptyPath } from "~/ui/illustrations/empty-path.tsx";
import { ListTools, listAddress, Pager } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/courses.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const params = readListParams(url, courseSorts);
  const { search, sort, direction } = params;
  const asked = { search, sort, direction };
  try {
    const [{ rows, ...pages }, going] = await Promise.all([
      listCourses(services, { ...params, limit: rowsAPage }),
      previewCourseDeletion(services, url.searchParams.get("delete") ?? ""),
    ]);
    const courses = rows.map(({ sortValue: _, priceCents, ...course }) => ({
      ...course,
      price: formatPrice(priceCents),
    }));
    return { asked, list: { courses, ...pages }, going };
  } catch (error) {
    services.log.error({ err: error }, courseLoadFailed.courses);
    return { asked, list: null, going: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, id = "" } = await formFields(request);
  const back = listAddress(url, { delete: null });
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
  const { asked, list, going } = loaderData;
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete("delete");
  // Without the delete confirmation: links to other pages must not carry it along.
  const here = { pathname, search: query.size > 0 ? `?${query}` : "" };
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
      <PageHead title="Courses" noindex />
      {list ? (
        <CourseList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={courseLoadFailed.courses} href={here.pathname + here.search} />
      )}
      {going && <DeleteCourseDialog going={going} closeHref={here.pathname + here.search} />}
    </AdminPage>
  );
}

type List = NonNullable<Route.ComponentProps["loaderData"]["list"]>;
type Asked = Route.ComponentProps["loaderData"]["asked"];
type ListProps = List & { asked: Asked; here: { pathname: string; search: string } };

function CourseList({ courses, previous, next, asked, here }: ListProps) {
  if (courses.length === 0 && !asked.search && !previous)
    return (
      <EmptyState
        title="No courses yet"
        picture={<EmptyPath />}
        action={<ButtonLink href="/admin/courses/new">New course</ButtonLink>}
      >
        <p>Make the first one. Nobody sees it until you activate it.</p>
      </EmptyState>
    );
  return (
    <>
      <ListTools
        searchLabel="Search by title or slug"
        search={asked.search}
        otherParams={{ sort: new URLSearchParams(here.search).get("sort") }}
      />
      {courses.length === 0 ? (
        <EmptyState
          title="Nothing found"
          action={
            <ButtonLink variant="outline" href={here.pathname}>
              Show all courses
            </ButtonLink>
          }
        >
          <p>No course has “{asked.search}” in its title or slug.</p>
        </EmptyState>
      ) : (
        <CourseTable
          courses={courses}
          here={here}
          asked={asked}
          deleteHref={(id) => listAddress(here, { delete: id })}
        />
      )}
      <Pager
        here={here}
        previous={previous}
        next={next}
        exportPath={courses.length > 0 && "/admin/export/courses"}
      />
    </>
  );
}
