import { useLocation, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { PaymentIssueList } from "~/features/payments/components/payment-issues.tsx";
import {
  KeyRefused,
  NotConfigured,
  PaymentList,
} from "~/features/payments/components/payment-list.tsx";
import { paymentIssueMessages } from "~/features/payments/messages.ts";
import { listPaymentIssues, listPayments } from "~/features/payments/payments.server.ts";
import { findRefusals } from "~/features/payments/stripe.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/payments.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { search, cursor } = readListParams(url, { paid: "desc" });
  const isConfigured = services.stripe !== null;
  const timeZone = context.get(timeZoneContext);
  try {
    const [refused, waiting, { rows: lines, previous, next }] = await Promise.all([
      findRefusals(services),
      listPaymentIssues(services, timeZone),
      listPayments(services, { search, cursor, limit: rowsAPage }, timeZone),
    ]);
    const list = { lines, previous, next };
    return { search, isConfigured, refused, attempt: newId(), waiting, list };
  } catch (error) {
    services.log.error({ err: error }, paymentIssueMessages.loadFailed);
    return { search, isConfigured, refused: [], attempt: "", waiting: [], list: null };
  }
}

export default function PaymentsPage({ loaderData }: Route.ComponentProps) {
  const { search, isConfigured, refused, attempt, waiting, list } = loaderData;
  const here = useLocation();
  const busy = useNavigation().formAction !== undefined;
  return (
    <AdminPage title="Payments" lead="Who has paid for what, and what needs you.">
      <PageHead title="Payments" noindex />
      {!isConfigured && <NotConfigured />}
      <KeyRefused refused={refused} />
      {list ? (
        <>
          <PaymentIssueList waiting={waiting} attempt={attempt} busy={busy} />
          <PaymentList {...list} search={search} here={here} />
        </>
      ) : (
        <LoadFailed message={paymentIssueMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
