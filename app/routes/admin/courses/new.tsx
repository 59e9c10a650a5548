import { data } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { saveCourse } from "~/features/courses/forms/commands.server.ts";
import { CourseForm } from "~/features/courses/products/components/course-form.tsx";
import { saved } from "~/features/courses/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { newId } from "~/platform/db/ids.ts";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { DeskPage } from "~/ui/desk.tsx";
import type { Route } from "./+types/new.ts";

const empty = { title: "", slug: "", description: "", price: "", lessonMails: "notice" };

export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  return { newCourseId: newId() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  adminOf(context, url);
  const fields = await formFields(request);
  const outcome = await saveCourse(servicesOf(context), { ...fields, revision: "0" });
  if ("id" in outcome)
    return redirectWithToast(`/admin/courses/${outcome.id}`, saved("Course", "created"));
  const { problem, status, toast } = outcome;
  const headers = toast ? flash(request, context, toast) : {};
  return data({ problem: { ...problem, id: fields.id } }, { status, headers });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(serverAction);
export const shouldRevalidate = unlessUnreachable;

export default function NewCourse({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage
      title="New course"
      lead="Nobody sees it until you activate it. Modules and lessons come next."
      back={{ href: "/admin", label: "Courses" }}
    >
      <PageHead title="New course" noindex />
      <CourseForm
        id={actionData?.problem?.id ?? loaderData.newCourseId}
        typed={empty}
        revision={0}
        problem={actionData?.problem ?? null}
      />
    </DeskPage>
  );
}
