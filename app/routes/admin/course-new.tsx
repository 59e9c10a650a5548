import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { CourseForm } from "~/features/courses/components/course-form.tsx";
import { answerForm, saveCourse } from "~/features/courses/course-forms.server.ts";
import { savedMessage } from "~/features/courses/messages.ts";
import { comingSoonHint } from "~/features/courses/rules.ts";
import { newId } from "~/platform/db/ids.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/course-new.ts";

const empty = {
  title: "",
  slug: "",
  description: "",
  price: "",
  lessonEmails: "notice",
  comingSoon: "no",
};

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const canSell = servicesOf(context).stripe !== null;
  const standing = { active: false, comingSoon: false, priceCents: null, hasOwnPage: false };
  return { newCourseId: newId(), hint: comingSoonHint({ ...standing, canSell }) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const fields = await formFields(request);
  const outcome = await saveCourse(servicesOf(context), { ...fields, revision: "0" });
  const to = "id" in outcome ? `/admin/courses/${outcome.id}` : "";
  return answerForm({ request, context }, outcome, { ...savedMessage("Course", "created"), to });
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function NewCourse({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="New course"
      lead="Nobody sees it until you activate it. Modules and lessons come next."
      above={[{ href: "/admin/courses", label: "Courses" }]}
    >
      <PageHead title="New course" noindex />
      <CourseForm
        id={actionData?.problem?.id || loaderData.newCourseId}
        typed={empty}
        revision={0}
        comingSoonHint={loaderData.hint}
        problem={actionData?.problem ?? null}
      />
    </AdminPage>
  );
}
