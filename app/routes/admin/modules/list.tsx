import { data, useLocation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { CourseFilter } from "~/features/courses/components/course-filter.tsx";
import { ModuleTable } from "~/features/courses/modules/components/module-table.tsx";
import { listModulesOfAll, moduleSorts } from "~/features/courses/modules/queries.server.ts";
import { listCourseFilters } from "~/features/courses/products/queries.server.ts";
import { deleteModule } from "~/features/courses/removal/commands.server.ts";
import { DeleteModuleDialog } from "~/features/courses/removal/components/delete-dialog.tsx";
import { goingWithModule } from "~/features/courses/removal/queries.server.ts";
import { loadFailed, saved, saveFailed } from "~/features/courses/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { failure } from "~/platform/http/failure.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { DeskPage } from "~/ui/desk.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import type { Route } from "./+types/list.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const params = readListParams(url, moduleSorts);
  const { search, courseId, sort, direction } = params;
  const asked = { search, courseId, sort, direction };
  try {
    const [{ rows, ...pages }, courses, going] = await Promise.all([
      listModulesOfAll(services, { ...params, limit: rowsAPage }),
      listCourseFilters(services),
      goingWithModule(services, url.searchParams.get("delete") ?? ""),
    ]);
    const modules = rows.map(({ sortValue: _, ...module }) => module);
    return { asked, list: { modules, courses, ...pages }, going };
  } catch (error) {
    services.log.error({ err: error }, loadFailed.modules);
    return { asked, list: null, going: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const { intent, id = "" } = await formFields(request);
  if (intent !== "delete") throw data(null, 400);
  const back = listAddress(url, { delete: null });
  try {
    await deleteModule(services, id);
    return redirectWithToast(back, saved("Module", "deleted"));
  } catch (error) {
    return redirectWithToast(back, failure(services, error, saveFailed.moduleDelete).toast);
  }
}

export default function ModulesPage({ loaderData }: Route.ComponentProps) {
  const { asked, list, going } = loaderData;
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete("delete");
  // Without the question: what leads elsewhere does not take it along.
  const here = { pathname, search: query.size > 0 ? `?${query}` : "" };
  const course = asked.courseId ? `?course=${asked.courseId}` : "";
  return (
    <DeskPage
      title="Modules"
      lead="The parts of your courses. Each holds its lessons."
      actions={<ButtonLink href={`/admin/modules/new${course}`}>New module</ButtonLink>}
    >
      <PageHead title="Modules" noindex />
      {list ? (
        <ModuleList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={loadFailed.modules} href={here.pathname + here.search} />
      )}
      {going && <DeleteModuleDialog going={going} closeHref={here.pathname + here.search} />}
    </DeskPage>
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
        kept={{ sort: new URLSearchParams(here.search).get("sort") }}
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
