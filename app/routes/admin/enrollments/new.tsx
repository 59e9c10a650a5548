import { data, useNavigation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { findPerson } from "~/features/accounts/search/queries.server.ts";
import { listCourseChoices } from "~/features/courses/products/queries.server.ts";
import { createEnrollment } from "~/features/enrollments/roster/commands.server.ts";
import { EnrollForm } from "~/features/enrollments/roster/components/enroll-form.tsx";
import { enrolledToast } from "~/features/enrollments/roster/rules.ts";
import { messages } from "~/features/enrollments/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { reasonToShow } from "~/platform/http/errors.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { shortDate } from "~/platform/time/words.ts";
import { DeskPage } from "~/ui/desk.tsx";
import type { Route } from "./+types/new.ts";

/** `?course=` and `?user=` choose in advance. */
export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const person = await findPerson(services, url.searchParams.get("user") ?? "");
  const productId = url.searchParams.get("course") ?? "";
  return {
    courses: await listCourseChoices(services),
    values: { productId, who: person?.email ?? "" },
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const { productId = "", who = "" } = await formFields(request);
  const values = { productId, who: who.trim() };
  const refuse = (message: string, answer: { field: string; nobody: boolean }) => {
    const toast = { title: "Error", description: message, tone: "destructive" } as const;
    const { field, nobody } = answer;
    const body = { values, nobody, complaint: { field, message } };
    return data(body, { status: 400, headers: flash(request, context, toast) });
  };
  try {
    const result = await createEnrollment(services, values);
    if ("complaint" in result)
      return refuse(result.complaint.message, { ...result.complaint, nobody: result.nobody });
    const { enrolled } = result;
    const since = shortDate(enrolled.createdAt, context.get(timeZoneContext));
    const to = enrolled.isNew ? "/admin/enrollments" : `/admin/enrollments/${enrolled.id}`;
    return redirectWithToast(to, enrolledToast(enrolled, since));
  } catch (error) {
    const reason = reasonToShow(services, error, messages.createFailed);
    return refuse(reason, { field: "", nobody: false });
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(serverAction);
export const shouldRevalidate = unlessUnreachable;

export default function NewEnrollmentPage({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData && "values" in actionData ? actionData : null;
  const busy = useNavigation().formAction !== undefined;
  return (
    <DeskPage
      title="New enrollment"
      lead="For somebody who has an account. The days of the lessons count from today."
      back={{ href: "/admin/enrollments", label: "Enrollments" }}
    >
      <PageHead title="New enrollment" noindex />
      <EnrollForm
        courses={loaderData.courses}
        values={refused?.values ?? loaderData.values}
        complaint={refused?.complaint ?? null}
        nobody={refused?.nobody ?? false}
        busy={busy}
      />
    </DeskPage>
  );
}
