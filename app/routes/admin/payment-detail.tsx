import { data, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { PaymentFacts } from "~/features/payments/components/payment-facts.tsx";
import {
  DoneIssueList,
  PaymentIssueEntry,
} from "~/features/payments/components/payment-issues.tsx";
import { RefundPanel } from "~/features/payments/components/refund-panel.tsx";
import { listDoneIssues, reopenIssue } from "~/features/payments/done-issues.server.ts";
import { resolveIssue } from "~/features/payments/issues.server.ts";
import { partField, paymentIssueMessages, refundMessages } from "~/features/payments/messages.ts";
import { describePayment, findPayment } from "~/features/payments/payments.server.ts";
import { enrollPayer, refund } from "~/features/payments/refunds.server.ts";
import { isId } from "~/platform/db/ids.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/payment-detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const found = await findPayment(services, params.id);
  if (!found) throw data(null, 404);
  const asked = {
    timeZone: context.get(timeZoneContext),
    typed: url.searchParams.get(partField),
    attempt: url.searchParams.get("attempt"),
    endsAccess: url.searchParams.get("access") === "end",
  };
  const [shown, done] = await Promise.all([
    describePayment(services, found, asked),
    listDoneIssues(services.db.read, { paymentId: found.id }),
  ]);
  return { ...shown, done };
}

/** What the coach does about a payment, from any admin page. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const admin = requireAdmin(context, url);
  const services = servicesOf(context);
  const { id: paymentId } = params;
  const here = `/admin/payments/${paymentId}`;
  const { intent, issue = "", attempt = "", ...form } = await formFields(request);
  const { [partField]: part, access } = form;
  const tried = { ...(part && { [partField]: part }), attempt, ...(access && { access }) };
  const again = isId(attempt) ? `${here}?${new URLSearchParams(tried)}` : here;
  try {
    if (intent === "refund") {
      const amounts = { cents: Number(form.cents), left: Number(form.left) };
      const endsAccess = access === "end";
      const asked = { paymentId, ...amounts, attempt, endsAccess, by: admin.id };
      const outcome = await refund(services, asked);
      const to = outcome === "sending" ? again : here;
      return redirectWithToast(to, refundMessages[outcome]);
    }
    if (intent === "resolve") {
      const isDone = await resolveIssue(services, { paymentId, id: issue });
      const { resolved, notShown } = paymentIssueMessages;
      const to = isDone ? `/admin/payments?done=${issue}` : "/admin/payments";
      return redirectWithToast(to, isDone ? resolved : notShown);
    }
    if (intent === "reopen") {
      const isOpen = await reopenIssue(services, { paymentId, id: issue });
      const { reopened, notReopened } = paymentIssueMessages;
      return redirectWithToast(here, isOpen ? reopened : notReopened);
    }
    if (intent !== "enroll") throw data(null, 400);
    await enrollPayer(services, paymentId);
    return redirectWithToast(here, paymentIssueMessages.enrolled);
  } catch (error) {
    const isRefund = intent === "refund";
    const fallback = isRefund ? refundMessages.failed : paymentIssueMessages.actionFailed;
    return redirectWithToast(isRefund ? again : here, failure(services, error, fallback).toast);
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function PaymentPage({ loaderData }: Route.ComponentProps) {
  const { payment, refunding, done } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const title = payment.name ?? "Account gone";
  return (
    <AdminPage
      title={title}
      lead={`${payment.amount} for “${payment.course}”`}
      above={[{ href: "/admin/payments", label: "Payments" }]}
    >
      <PageHead title={`Payment of ${title}`} noindex />
      <div className="mb-8 grid gap-4 empty:hidden">
        {payment.issues.map((issue) => (
          <PaymentIssueEntry
            key={issue.id}
            payment={payment}
            issue={issue}
            attempt={refunding.attempt}
            busy={busy}
            heading="h2"
          />
        ))}
      </div>
      <DoneIssueList done={done} busy={busy} />
      <PaymentFacts payment={payment} />
      <RefundPanel payment={payment} refunding={refunding} busy={busy} />
    </AdminPage>
  );
}
