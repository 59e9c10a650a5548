import { data, useNavigation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { attend } from "~/features/payments/attention/commands.server.ts";
import { AttentionEntry } from "~/features/payments/attention/components/attention-list.tsx";
import { attentionMessages } from "~/features/payments/attention/texts.ts";
import { enrollPayer } from "~/features/payments/entering/commands.server.ts";
import { PaymentFacts } from "~/features/payments/listing/components/payment-facts.tsx";
import { describePayment, getPayment } from "~/features/payments/listing/queries.server.ts";
import { refund } from "~/features/payments/refunds/commands.server.ts";
import { RefundPanel } from "~/features/payments/refunds/components/refund-panel.tsx";
import { refundMessages } from "~/features/payments/refunds/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure } from "~/platform/http/failure.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { DeskPage } from "~/ui/desk.tsx";
import type { Route } from "./+types/detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const found = await getPayment(services, params.id);
  if (!found) throw data(null, 404);
  return describePayment(services, found, context.get(timeZoneContext));
}

/** What the coach does about a payment, from whichever page of the desk. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const admin = adminOf(context, url);
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
      const isDone = await attend(services, { paymentId, id: matter });
      const { attended, notShown } = attentionMessages;
      return redirectWithToast("/admin/payments", isDone ? attended : notShown);
    }
    if (intent !== "enroll") throw data(null, 400);
    await enrollPayer(services, paymentId);
    return redirectWithToast(here, attentionMessages.enrolled);
  } catch (error) {
    const fallback = intent === "refund" ? refundMessages.failed : attentionMessages.actionFailed;
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
    <DeskPage
      title={title}
      lead={`${payment.amount} for “${payment.course}”`}
      back={{ href: "/admin/payments", label: "Payments" }}
    >
      <PageHead title={`Payment of ${title}`} noindex />
      {payment.attentions.map((matter) => (
        <AttentionEntry
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
    </DeskPage>
  );
}
