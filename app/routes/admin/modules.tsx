import { data, useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { CourseFilter } from "~/features/courses/components/course-filter.tsx";
import { DeleteModuleDialog } from "~/features/courses/components/delete-dialog.tsx";
import { ModuleTable } from "~/features/courses/components/module-table.tsx";
import { listCourseFilters } from "~/features/courses/courses.server.ts";
import { deleteModule } from "~/features/courses/deletion.server.ts";
import { previewModuleDeletion } from "~/features/courses/deletion-preview.server.ts";
import { courseLoadFailed, savedMessage, saveFailed } from "~/features/courses/messages.ts";
import { listModulesOfAll, moduleSorts } from "~/features/courses/modules.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { failure } from "~/platform/http/failure.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/modules.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const params = readListParams(url, moduleSorts);
  const { search, courseId, sort, direction } = params;
  const asked = { search, courseId, sort, direction };
  try {
    const [{ rows, ...pages }, courses, going] = await Promise.all([
      listModulesOfAll(services, { ...params, limit: rowsAPage }),
      listCourseFilters(services),
      previewModuleDeletion(services, url.searchParams.get("delete") ?? ""),
    ]);
    const modules = rows.map(({ sortValue: _, ...module }) => module);
    return { asked, list: { modules, courses, ...pages }, going };
  } catch (error) {
    services.log.error({ err: error }, courseLoadFailed.modules);
    return { asked, list: null, going: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, id = "" } = await formFields(request);
  if (intent !== "delete") throw data(null, 400);
  const back = listAddress(url, { delete: null });
  try {
    await deleteModule(services, id);
    return redirectWithToast(back, savedMessage("Module", "deleted"));
  } catch (error) {
    return redirectWithToast(back, failure(services, error, saveFailed.moduleDelete).toast);
  }
}

export default function ModulesPage({ loaderData }: Route.ComponentProps) {
  const { asked, list, going } = loaderData;
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete("delete");
  // Without the delete confirmation: links to other pages must not carry it along.
  const here = { pathname, search: query.size > 0 ? `?${query}` : "" };
  const course = asked.courseId ? `?course=${asked.courseId}` : "";
  return (
    <AdminPage
      title="Modules"
      lead="The parts of your courses. Each holds its lessons."
      actions={<ButtonLink href={`/admin/modules/new${course}`}>New module</ButtonLink>}
    >
      <PageHead title="Modules" noindex />
      {list ? (
        <ModuleList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={courseLoadFailed.modules} href={here.pathname + here.search} />
      )}
      {going && <DeleteModuleDialog going={going} closeHref={here.pathname + here.search} />}
    </AdminPage>
  );
}

type Data = Route.ComponentProps["loaderData"];
type ListProps = NonNullable<Data["list"]> & {
  asked: Data["asked"];
  here: { pathname: string; search: string };
};

function ModuleList({ modules, courses, previous, next, asked, here }: ListProps) {
  const isAsked = Boolean(asked.search || asked.courseId);
  if (modules.length === 0 && !isAsked && !previous)
    return (
      <EmptyState
        title="No modules yet"
        action={<ButtonLink href="/admin/modules/new">New module</ButtonLink>}
      >
        <p>A module is a part of a course, like a week. Its lessons come after it.</p>
      </EmptyState>
    );
  return (
    <>
      <ListTools
        searchLabel="Search by title or course"
        search={asked.search}
        otherParams={{ sort: new URLSearchParams(here.search).get("sort") }}
      >
        <CourseFilter courses={courses} chosen={asked.courseId} />
      </ListTools>
      {modules.length === 0 ? (
        <EmptyState
          title="Nothing found"
          action={
            <ButtonLink variant="outline" href={here.pathname}>
              Show all modules
            </ButtonLink>
          }
        />
      ) : (
        <ModuleTable
          modules={modules}
          here={here}
          asked={asked}
          deleteHref={(id) => listAddress(here, { delete: id })}
        />
      )}
      <Pager
        here={here}
        previous={previous}
        next={next}
        exportPath={modules.length > 0 && "/admin/export/modules"}
      />
    </>
  );
}
