import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { ModuleForm } from "~/features/courses/components/module-form.tsx";
import { answerForm, saveModule } from "~/features/courses/course-forms.server.ts";
import { listCourseChoices } from "~/features/courses/courses.server.ts";
import { savedMessage } from "~/features/courses/messages.ts";
import { nextModuleNumber } from "~/features/courses/modules.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/module-new.ts";

/** `?course=` names the course: only in this way can an inactive one be chosen. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = url.searchParams.get("course");
  const courses = await listCourseChoices(services, asked);
  const course = courses.find(({ id }) => id === asked) ?? null;
  const orderNum = String(await nextModuleNumber(services, course?.id ?? null));
  const typed = { productId: course?.id ?? "", title: "", orderNum };
  return { courses, course, typed, newModuleId: newId() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const fields = await formFields(request);
  const outcome = await saveModule(servicesOf(context), { ...fields, revision: "0" });
  const isForCourse = url.searchParams.get("course") === fields.productId;
  const to = isForCourse ? `/admin/courses/${fields.productId}` : "/admin/modules";
  return answerForm({ request, context }, outcome, { ...savedMessage("Module", "created"), to });
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function NewModule({ loaderData, actionData }: Route.ComponentProps) {
  const { courses, course, typed, newModuleId } = loaderData;
  return (
    <AdminPage
      title="New module"
      above={[
        { href: "/admin/courses", label: "Courses" },
        course
          ? { href: `/admin/courses/${course.id}`, label: course.title }
          : { href: "/admin/modules", label: "Modules" },
      ]}
    >
      <PageHead title="New module" noindex />
      <ModuleForm
        id={actionData?.problem?.id || newModuleId}
        typed={typed}
        revision={0}
        courses={courses}
        problem={actionData?.problem ?? null}
      />
    </AdminPage>
  );
}
