import { data } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { saveModule } from "~/features/courses/forms/commands.server.ts";
import { ModuleForm } from "~/features/courses/modules/components/module-form.tsx";
import { nextModuleNumber } from "~/features/courses/modules/queries.server.ts";
import { listCourseChoices } from "~/features/courses/products/queries.server.ts";
import { saved } from "~/features/courses/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { newId } from "~/platform/db/ids.ts";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { DeskPage } from "~/ui/desk.tsx";
import type { Route } from "./+types/new.ts";

/** `?course=` names the course it is for: only so can one that is not active yet be chosen. */
export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const asked = url.searchParams.get("course");
  const courses = await listCourseChoices(services, asked);
  const course = courses.find(({ id }) => id === asked) ?? null;
  const orderNum = String(await nextModuleNumber(services, course?.id ?? null));
  const typed = { productId: course?.id ?? "", title: "", orderNum };
  return { courses, course, typed, newModuleId: newId() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  adminOf(context, url);
  const fields = await formFields(request);
  const outcome = await saveModule(servicesOf(context), { ...fields, revision: "0" });
  if ("id" in outcome) {
    const isForCourse = url.searchParams.get("course") === fields.productId;
    const to = isForCourse ? `/admin/courses/${fields.productId}` : "/admin/modules";
    return redirectWithToast(to, saved("Module", "created"));
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
    <DeskPage
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
    </DeskPage>
  );
}
