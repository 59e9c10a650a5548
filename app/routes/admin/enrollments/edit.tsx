import { data, useNavigation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { removeEnrollment } from "~/features/enrollments/roster/commands.server.ts";
import { EnrollmentFacts } from "~/features/enrollments/roster/components/enrollment-facts.tsx";
import { RemoveEnrollment } from "~/features/enrollments/roster/components/remove-enrollment.tsx";
import { getEnrollment, listFormer } from "~/features/enrollments/roster/queries.server.ts";
import { messages } from "~/features/enrollments/texts.ts";
import { PaidFacts } from "~/features/payments/listing/components/payment-facts.tsx";
import {
  describePayment,
  findPaymentOfEnrollment,
} from "~/features/payments/listing/queries.server.ts";
import { RefundPanel } from "~/features/payments/refunds/components/refund-panel.tsx";
import { PageHead } from "~/page-head.tsx";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { reasonToShow } from "~/platform/http/errors.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { shortDate } from "~/platform/time/words.ts";
import { DeskPage } from "~/ui/desk.tsx";
import type { Route } from "./+types/edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const found = await getEnrollment(services, params.id);
  if (!found) throw data(null, 404);
  const day = (date: Date) => shortDate(date, context.get(timeZoneContext));
  const [former, payment] = await Promise.all([
    listFormer(services, found),
    findPaymentOfEnrollment(services, found.stripePaymentId),
  ]);
  const { createdAt, deletedAt, ...enrollment } = found;
  return {
    enrollment: { ...enrollment, since: day(createdAt), isDeleted: deletedAt !== null },
    former: former.map(({ id, createdAt, removedAt }) => ({
      id,
      words: `${day(createdAt)} to ${day(removedAt)}`,
    })),
    paid: payment && (await describePayment(services, payment, context.get(timeZoneContext))),
  };
}

/** The form of this page that is its own removes the enrollment; a refund is the payment's. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const admin = adminOf(context, url);
  const services = servicesOf(context);
  try {
    await removeEnrollment(services, { id: params.id, removedBy: admin.id });
    return redirectWithToast("/admin/enrollments", messages.removed);
  } catch (error) {
    const description = reasonToShow(services, error, messages.removeFailed);
    const toast = { title: "Error", description, tone: "destructive" } as const;
    if (description === messages.alreadyRemoved)
      return redirectWithToast("/admin/enrollments", toast);
    return data(null, { status: 400, headers: flash(request, context, toast) });
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(serverAction);
export const shouldRevalidate = unlessUnreachable;

export default function EnrollmentPage({ loaderData }: Route.ComponentProps) {
  const { enrollment, former, paid } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  return (
    <DeskPage
      title={enrollment.name}
      lead={`Enrolled in “${enrollment.course}”`}
      back={{ href: "/admin/enrollments", label: "Enrollments" }}
    >
      <PageHead title={`Enrollment of ${enrollment.name}`} noindex />
      <EnrollmentFacts
        enrollment={enrollment}
        former={former}
        payment={paid && <PaidFacts payment={paid.payment} />}
      />
      {paid && <RefundPanel {...paid} busy={busy} />}
      <RemoveEnrollment enrollment={enrollment} busy={busy} />
    </DeskPage>
  );
}
