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
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { List, type ListAddress, listAddress, rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/modules.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = readListParams(url, moduleSorts);
  try {
    const [{ rows, ...pages }, courses, deletion] = await Promise.all([
      listModulesOfAll(services, { ...asked, limit: rowsAPage }),
      listCourseFilters(services),
      previewModuleDeletion(services, url.searchParams.get("delete") ?? ""),
    ]);
    const modules = rows.map(({ sortValue: _, timeValue: __, ...module }) => module);
    return { asked, list: { modules, courses, ...pages }, deletion };
  } catch (error) {
    services.log.error({ err: error }, courseLoadFailed.modules);
    return { asked, list: null, deletion: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, id = "" } = await formFields(request);
  if (intent !== "delete") throw data(null, 400);
  const back = listAddress(url);
  try {
    await deleteModule(services, id);
    return redirectWithToast(back, savedMessage("Module", "deleted"));
  } catch (error) {
    return redirectWithToast(back, failure(services, error, saveFailed.moduleDelete).toast);
  }
}

export default function ModulesPage({ loaderData }: Route.ComponentProps) {
  const { asked, list, deletion } = loaderData;
  const here = useLocation();
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
        <LoadFailed message={courseLoadFailed.modules} href={listAddress(here)} />
      )}
      {deletion && <DeleteModuleDialog deletion={deletion} closeHref={listAddress(here)} />}
    </AdminPage>
  );
}

type Data = Route.ComponentProps["loaderData"];
type ListProps = NonNullable<Data["list"]> & { asked: Data["asked"]; here: ListAddress };

function ModuleList({ modules, courses, asked, here, ...pages }: ListProps) {
  return (
    <List
      {...{ here, ...pages }}
      things="modules"
      searchLabel="Search by title or course"
      search={asked.search}
      filters={<CourseFilter courses={courses} chosen={asked.courseId} />}
      empty={
        <EmptyState
          title="No modules yet"
          action={<ButtonLink href="/admin/modules/new">New module</ButtonLink>}
        >
          <p>A module is a part of a course, like a week. Its lessons come after it.</p>
        </EmptyState>
      }
      notFound={{ title: "Nothing found" }}
      exportPath="/admin/export/modules"
    >
      {modules.length > 0 && <ModuleTable {...{ modules, here, asked }} />}
    </List>
  );
}
