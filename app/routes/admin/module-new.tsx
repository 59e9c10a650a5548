import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { ModuleForm } from "~/features/courses/components/module-form.tsx";
import { saveModule } from "~/features/courses/course-forms.server.ts";
import { listCourseChoices } from "~/features/courses/courses.server.ts";
import { savedMessage } from "~/features/courses/messages.ts";
import { nextModuleNumber } from "~/features/courses/modules.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
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
  if ("id" in outcome) {
    const isForCourse = url.searchParams.get("course") === fields.productId;
    const to = isForCourse ? `/admin/courses/${fields.productId}` : "/admin/modules";
    return redirectWithToast(to, savedMessage("Module", "created"));
  }
  const { problem, status, toast } = outcome;
  const headers = toast ? flash(request, context, toast) : {};
  return data({ problem: { ...problem, id: fields.id } }, { status, headers });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(serverAction);
export const shouldRevalidate = unlessUnreachable;

export default function NewModule({ loaderData, actionData }: Route.ComponentProps) {
  const { courses, course, typed, newModuleId } = loaderData;
  return (
    <AdminPage
      title="New module"
      back={
        course
          ? { href: `/admin/courses/${course.id}`, label: course.title }
          : { href: "/admin/modules", label: "Modules" }
      }
    >
      <PageHead title="New module" noindex />
      <ModuleForm
        id={actionData?.problem?.id ?? newModuleId}
        typed={typed}
        revision={0}
        courses={courses}
        problem={actionData?.problem ?? null}
      />
    </AdminPage>
  );
}
