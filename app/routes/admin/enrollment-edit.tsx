import { data, redirect, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import {
  EnrollmentFacts,
  RemoveEnrollment,
} from "~/features/enrollments/components/enrollment-facts.tsx";
import { LessonDaysPanel } from "~/features/enrollments/components/lesson-days-panel.tsx";
import { getLessonDays, moveLessonDays } from "~/features/enrollments/lesson-days.server.ts";
import {
  getEnrollment,
  listFormer,
  removeEnrollment,
} from "~/features/enrollments/manual-enrollments.server.ts";
import { enrollmentMessages, lessonDaysMessages } from "~/features/enrollments/messages.ts";
import { PaidFacts } from "~/features/payments/components/payment-facts.tsx";
import { RefundPanel } from "~/features/payments/components/refund-panel.tsx";
import { describePayment, findPaymentOfEnrollment } from "~/features/payments/payments.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/enrollment-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const found = await getEnrollment(services, params.id);
  if (!found) throw data(null, 404);
  const timeZone = context.get(timeZoneContext);
  const day = (date: Date) => shortDate(date, timeZone);
  const asked = { asked: url.searchParams.get("days"), timeZone };
  const [days, former, payment] = await Promise.all([
    getLessonDays(services, found, asked),
    listFormer(services, found),
    findPaymentOfEnrollment(services, found.stripePaymentId),
  ]);
  const { createdAt, deletedAt, lessonsFromAt: _, ...enrollment } = found;
  return {
    days,
    enrollment: { ...enrollment, since: day(createdAt), isDeleted: deletedAt !== null },
    former: former.map(({ id, createdAt, removedAt }) => ({
      id,
      words: `${day(createdAt)} to ${day(removedAt)}`,
    })),
    paid: payment && (await describePayment(services, payment, { timeZone })),
  };
}

/** Moves the days of the lessons or removes the enrollment; a refund belongs to the payment's
 * route. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const admin = requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, days = "", daysFrom = "" } = await formFields(request);
  if (intent !== "days" && intent !== "remove") throw data(null, 400);
  try {
    if (intent === "days") {
      const timeZone = context.get(timeZoneContext);
      const asked = { id: params.id, asked: days, daysFrom, timeZone };
      const outcome = await moveLessonDays(services, asked);
      if (outcome === "invalid")
        return redirect(`${url.pathname}?${new URLSearchParams({ days })}`, 303);
      return redirectWithToast(url.pathname, lessonDaysMessages[outcome]);
    }
    await removeEnrollment(services, { id: params.id, removedBy: admin.id });
    return redirectWithToast("/admin/enrollments", enrollmentMessages.removed);
  } catch (error) {
    const { message, toast } = failure(
      services,
      error,
      intent === "days" ? lessonDaysMessages.failed : enrollmentMessages.removeFailed,
    );
    if (message === enrollmentMessages.alreadyRemoved)
      return redirectWithToast("/admin/enrollments", toast);
    return data(null, { status: 400, headers: flash(request, context, toast) });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function EnrollmentPage({ loaderData }: Route.ComponentProps) {
  const { enrollment, days, former, paid } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  return (
    <AdminPage
      title={enrollment.name}
      lead={`Enrolled in “${enrollment.course}”`}
      above={[
        { href: "/admin/students", label: "Students" },
        { href: "/admin/enrollments", label: "Enrollments" },
      ]}
    >
      <PageHead title={`Enrollment of ${enrollment.name}`} noindex />
      <EnrollmentFacts
        enrollment={enrollment}
        former={former}
        payment={paid && <PaidFacts payment={paid.payment} />}
      />
      {days && <LessonDaysPanel days={days} id={enrollment.id} busy={busy} />}
      {paid && <RefundPanel {...paid} busy={busy} />}
      <RemoveEnrollment enrollment={enrollment} busy={busy} />
    </AdminPage>
  );
}
