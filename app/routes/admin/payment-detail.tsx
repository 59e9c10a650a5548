import { data, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { PaymentFacts } from "~/features/payments/components/payment-facts.tsx";
import { PaymentIssueEntry } from "~/features/payments/components/payment-issues.tsx";
import { RefundPanel } from "~/features/payments/components/refund-panel.tsx";
import { paymentIssueMessages, refundMessages } from "~/features/payments/messages.ts";
import { resolveIssue } from "~/features/payments/payment-issues.server.ts";
import { describePayment, getPayment } from "~/features/payments/payments.server.ts";
import { enrollPayer, refund } from "~/features/payments/refunds.server.ts";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure } from "~/platform/http/failure.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/payment-detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const found = await getPayment(services, params.id);
  if (!found) throw data(null, 404);
  return describePayment(services, found, context.get(timeZoneContext));
}

/** What the coach does about a payment, from any admin page. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const admin = requireAdmin(context, url);
  const services = servicesOf(context);
  const { id: paymentId } = params;
  const here = `/admin/payments/${paymentId}`;
  const { intent, matter = "", cents, attempt = "" } = await formFields(request);
  try {
    if (intent === "refund") {
      const asked = { paymentId, cents: Number(cents), attempt, by: admin.id };
      return redirectWithToast(here, refundMessages[await refund(services, asked)]);
    }
    if (intent === "attend") {
      const isDone = await resolveIssue(services, { paymentId, id: matter });
      const { attended, notShown } = paymentIssueMessages;
      return redirectWithToast("/admin/payments", isDone ? attended : notShown);
    }
    if (intent !== "enroll") throw data(null, 400);
    await enrollPayer(services, paymentId);
    return redirectWithToast(here, paymentIssueMessages.enrolled);
  } catch (error) {
    const fallback =
      intent === "refund" ? refundMessages.failed : paymentIssueMessages.actionFailed;
    return redirectWithToast(here, failure(services, error, fallback).toast);
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(serverAction);
export const shouldRevalidate = unlessUnreachable;

export default function PaymentPage({ loaderData }: Route.ComponentProps) {
  const { payment, refunding } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const title = payment.name ?? "Account gone";
  return (
    <AdminPage
      title={title}
      lead={`${payment.amount} for “${payment.course}”`}
      back={{ href: "/admin/payments", label: "Payments" }}
    >
      <PageHead title={`Payment of ${title}`} noindex />
      {payment.issues.map((matter) => (
        <PaymentIssueEntry
          key={matter.id}
          payment={payment}
          matter={matter}
          attempt={refunding.attempt}
          busy={busy}
          heading="h2"
        />
      ))}
      <PaymentFacts payment={payment} />
      <RefundPanel payment={payment} refunding={refunding} busy={busy} />
    </AdminPage>
  );
}
