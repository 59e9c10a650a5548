import { data, useLocation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { saveModule, typedModule } from "~/features/courses/forms/commands.server.ts";
import { ModuleForm } from "~/features/courses/modules/components/module-form.tsx";
import { ModuleLessons } from "~/features/courses/modules/components/module-lessons.tsx";
import { getModule, listLessonsOfModule } from "~/features/courses/modules/queries.server.ts";
import { getCourse, listCourseChoices } from "~/features/courses/products/queries.server.ts";
import { deleteModule } from "~/features/courses/removal/commands.server.ts";
import { DeleteModuleDialog } from "~/features/courses/removal/components/delete-dialog.tsx";
import { goingWithModule } from "~/features/courses/removal/queries.server.ts";
import { saved, saveFailed } from "~/features/courses/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { failure } from "~/platform/http/failure.ts";
import { flash, isFromScript, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { DeskPage } from "~/ui/desk.tsx";
import type { Route } from "./+types/edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const module = await getModule(services, params.id);
  const course = module && (await getCourse(services, module.productId));
  if (!course) throw data(null, 404);
  const [courses, lessons, going] = await Promise.all([
    listCourseChoices(services, course.id),
    listLessonsOfModule(services, module.id),
    url.searchParams.has("delete") ? goingWithModule(services, module.id) : null,
  ]);
  const { id, title, revision } = module;
  const { slug } = course;
  const shown = { id, title, revision, typed: typedModule(module) };
  return {
    module: shown,
    course: { id: course.id, title: course.title, slug },
    courses,
    lessons,
    going,
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const { id } = params;
  const here = `/admin/modules/${id}`;
  const fields = await formFields(request);
  if (fields.intent === "delete")
    try {
      await deleteModule(services, id);
      return redirectWithToast("/admin/modules", saved("Module", "deleted"));
    } catch (error) {
      return redirectWithToast(here, failure(services, error, saveFailed.moduleDelete).toast);
    }
  if (fields.intent !== "save") throw data(null, 400);
  const outcome = await saveModule(services, { ...fields, id });
  const done = saved("Module", "updated");
  // Whoever has scripts stays on the page with what she went on typing.
  if ("id" in outcome && isFromScript(request))
    return data({ saved: outcome.saved }, { headers: flash(request, context, done) });
  if ("id" in outcome) return redirectWithToast(here, done);
  const { problem, status, toast } = outcome;
  return data({ problem }, { status, headers: toast ? flash(request, context, toast) : {} });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(serverAction);
export const shouldRevalidate = unlessUnreachable;

export default function ModulePage({ loaderData, actionData }: Route.ComponentProps) {
  const { module, course, courses, lessons, going } = loaderData;
  const here = useLocation();
  return (
    <DeskPage
      title={module.title}
      back={{ href: `/admin/courses/${course.id}`, label: course.title }}
      actions={
        <ButtonLink variant="ghost" size="sm" href={`/admin/modules/${module.id}?delete=1`}>
          Delete
        </ButtonLink>
      }
    >
      <PageHead title={module.title} noindex />
      <div className="course-page">
        <ModuleForm
          key={module.id}
          id={module.id}
          typed={module.typed}
          revision={module.revision}
          courses={courses}
          problem={actionData && "problem" in actionData ? actionData.problem : null}
          saved={actionData && "saved" in actionData ? actionData.saved : null}
        />
        <ModuleLessons moduleId={module.id} slug={course.slug} lessons={lessons} />
      </div>
      {going && <DeleteModuleDialog going={going} closeHref={here.pathname} />}
    </DeskPage>
  );
}
