import { useNavigation } from "react-router";
import { findPerson } from "~/features/accounts/search.server.ts";
import { formErrorResponse } from "~/features/accounts/settings.server.ts";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import type { FieldError } from "~/features/auth/schema.ts";
import { listCourseChoices } from "~/features/courses/courses.server.ts";
import { EnrollForm } from "~/features/enrollments/components/enroll-forms.tsx";
import { createEnrollment } from "~/features/enrollments/manual-enrollments.server.ts";
import { enrollmentMessages } from "~/features/enrollments/messages.ts";
import { enrolledToast } from "~/features/enrollments/rules.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { reasonToShow, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/enrollment-new.ts";

/** `?course=` and `?user=` preselect the form. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const person = await findPerson(services, url.searchParams.get("user") ?? "");
  const productId = url.searchParams.get("course") ?? "";
  return {
    courses: await listCourseChoices(services),
    values: { productId, who: person?.email ?? "" },
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { productId = "", who = "" } = await formFields(request);
  const values = { productId, who: who.trim() };
  const refuse = (fieldError: FieldError) =>
    formErrorResponse({ request, context }, fieldError, values, "Error");
  try {
    const result = await createEnrollment(services, values);
    if ("fieldError" in result) return refuse(result.fieldError);
    const { enrolled } = result;
    const since = shortDate(enrolled.createdAt, context.get(timeZoneContext));
    const to = enrolled.isNew ? "/admin/enrollments" : `/admin/enrollments/${enrolled.id}`;
    return redirectWithToast(to, enrolledToast(enrolled, since));
  } catch (error) {
    const message = reasonToShow(services, error, enrollmentMessages.createFailed);
    return refuse({ field: "", message });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function NewEnrollmentPage({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData && "typed" in actionData ? actionData : null;
  const busy = useNavigation().formAction !== undefined;
  return (
    <AdminPage
      title="New enrollment"
      lead="For somebody who has an account. The days of the lessons count from today."
      above={[
        { href: "/admin/students", label: "Students" },
        { href: "/admin/enrollments", label: "Enrollments" },
      ]}
    >
      <PageHead title="New enrollment" noindex />
      <EnrollForm
        courses={loaderData.courses}
        values={refused?.typed ?? loaderData.values}
        fieldError={refused?.fieldError ?? null}
        busy={busy}
      />
    </AdminPage>
  );
}
