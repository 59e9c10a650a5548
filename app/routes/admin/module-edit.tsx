import { Eye } from "lucide";
import { data, useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { DeleteModuleDialog } from "~/features/courses/components/delete-dialog.tsx";
import { ModuleForm } from "~/features/courses/components/module-form.tsx";
import { answerForm, saveModule, typedModule } from "~/features/courses/course-forms.server.ts";
import { getCourse, listCourseChoices } from "~/features/courses/courses.server.ts";
import { deleteModule } from "~/features/courses/deletion.server.ts";
import { previewModuleDeletion } from "~/features/courses/deletion-preview.server.ts";
import { savedMessage, saveFailed } from "~/features/courses/messages.ts";
import { getModule, listLessonsOfModules } from "~/features/courses/modules.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/module-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const module = await getModule(services, params.id);
  const course = module && (await getCourse(services, module.productId));
  if (!course) throw data(null, 404);
  const [courses, lessons, deletion] = await Promise.all([
    listCourseChoices(services, course.id),
    listLessonsOfModules(services.db.read, [module.id]),
    url.searchParams.has("delete") ? previewModuleDeletion(services, module.id) : null,
  ]);
  const { id, title, revision } = module;
  return {
    module: { id, title, revision, typed: typedModule(module) },
    course: { id: course.id, title: course.title, slug: course.slug },
    ...{ courses, lessons, deletion },
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
      const courseId = await deleteModule(services, id);
      return redirectWithToast(`/admin/courses/${courseId}`, savedMessage("Module", "deleted"));
    } catch (error) {
      return redirectWithToast(here, failure(services, error, saveFailed.moduleDelete).toast);
    }
  if (fields.intent !== "save") throw data(null, 400);
  const outcome = await saveModule(services, { ...fields, id });
  const done = { ...savedMessage("Module", "updated"), to: here, stays: true };
  return answerForm({ request, context }, outcome, done);
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function ModulePage({ loaderData, actionData }: Route.ComponentProps) {
  const { module, course, courses, lessons, deletion } = loaderData;
  const here = useLocation();
  return (
    <AdminPage
      title={module.title}
      above={[
        { href: "/admin/courses", label: "Courses" },
        { href: `/admin/courses/${course.id}`, label: course.title },
      ]}
      actions={
        <ButtonLink variant="ghost" size="sm" href={`/admin/modules/${module.id}?delete=1`}>
          Delete
        </ButtonLink>
      }
    >
      <PageHead title={`${module.title} - Edit module`} noindex />
      <div className="course-page">
        <ModuleForm
          key={module.id}
          id={module.id}
          typed={module.typed}
          revision={module.revision}
          courses={courses}
          problem={actionData?.problem ?? null}
          saved={actionData && "saved" in actionData ? actionData.saved : null}
        />
        <ModuleLessons moduleId={module.id} slug={course.slug} lessons={lessons} />
      </div>
      {deletion && <DeleteModuleDialog deletion={deletion} closeHref={here.pathname} />}
    </AdminPage>
  );
}

type ModuleLessonsProps = {
  moduleId: string;
  /** The slug of the course. */
  slug: string;
  lessons: { id: string; title: string; slug: string }[];
};

/** A module's lessons in order. They are reordered on the course page. */
function ModuleLessons({ moduleId, slug, lessons }: ModuleLessonsProps) {
  return (
    <section aria-labelledby="lessons-title" className="min-w-0">
      <div className="outline-head mb-3">
        <h2 id="lessons-title">Lessons</h2>
        <ButtonLink size="sm" variant="outline" href={`/admin/lessons/new?module=${moduleId}`}>
          Add lesson
        </ButtonLink>
      </div>
      {lessons.length === 0 ? (
        <p className="outline-empty">No lessons yet.</p>
      ) : (
        <ol className="outline-module module-lessons">
          {lessons.map((lesson) => (
            <li key={lesson.id} className="outline-row outline-lesson">
              <span className="outline-title">
                <a href={`/admin/lessons/${lesson.id}`}>{lesson.title}</a>
              </span>
              <ButtonLink
                variant="ghost"
                size="icon"
                href={`/courses/${slug}/learn?view=student&lesson=${encodeURIComponent(`${lesson.slug}~${lesson.id}`)}`}
                aria-label={`View ${lesson.title} as a student`}
              >
                <Icon of={Eye} />
              </ButtonLink>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
