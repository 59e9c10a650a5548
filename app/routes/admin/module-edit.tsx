import { data, useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { DeleteModuleDialog } from "~/features/courses/components/delete-dialog.tsx";
import { ModuleForm } from "~/features/courses/components/module-form.tsx";
import { ModuleLessons } from "~/features/courses/components/module-lessons.tsx";
import { saveModule, typedModule } from "~/features/courses/course-forms.server.ts";
import { getCourse, listCourseChoices } from "~/features/courses/courses.server.ts";
import { deleteModule } from "~/features/courses/deletion.server.ts";
import { previewModuleDeletion } from "~/features/courses/deletion-preview.server.ts";
import { savedMessage, saveFailed } from "~/features/courses/messages.ts";
import { getModule, listLessonsOfModule } from "~/features/courses/modules.server.ts";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { failure } from "~/platform/http/failure.ts";
import { flash, isFromScript, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/module-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const module = await getModule(services, params.id);
  const course = module && (await getCourse(services, module.productId));
  if (!course) throw data(null, 404);
  const [courses, lessons, going] = await Promise.all([
    listCourseChoices(services, course.id),
    listLessonsOfModule(services, module.id),
    url.searchParams.has("delete") ? previewModuleDeletion(services, module.id) : null,
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
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { id } = params;
  const here = `/admin/modules/${id}`;
  const fields = await formFields(request);
  if (fields.intent === "delete")
    try {
      await deleteModule(services, id);
      return redirectWithToast("/admin/modules", savedMessage("Module", "deleted"));
    } catch (error) {
      return redirectWithToast(here, failure(services, error, saveFailed.moduleDelete).toast);
    }
  if (fields.intent !== "save") throw data(null, 400);
  const outcome = await saveModule(services, { ...fields, id });
  const done = savedMessage("Module", "updated");
  // With scripts, the coach stays on the page with what they typed meanwhile.
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
    <AdminPage
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
    </AdminPage>
  );
}
