import { useLocation, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { DoneIssueList, PaymentIssueList } from "~/features/payments/components/payment-issues.tsx";
import {
  KeyRefused,
  NotConfigured,
  PaymentList,
} from "~/features/payments/components/payment-list.tsx";
import { listDoneIssues } from "~/features/payments/done-issues.server.ts";
import { paymentIssueMessages } from "~/features/payments/messages.ts";
import { listPaymentIssues, listPayments } from "~/features/payments/payments.server.ts";
import { findRefusals } from "~/features/payments/stripe.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/payments.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { search, cursor } = readListParams(url, { paid: "desc" });
  const isConfigured = services.stripe !== null;
  const timeZone = context.get(timeZoneContext);
  try {
    const [refused, waiting, done, { rows: lines, ...pages }] = await Promise.all([
      findRefusals(services),
      listPaymentIssues(services, timeZone),
      listDoneIssues(services.db.read, { id: url.searchParams.get("done") ?? "" }),
      listPayments(services, { search, cursor, limit: rowsAPage }, timeZone),
    ]);
    const list = { lines, ...pages };
    return { search, isConfigured, refused, attempt: newId(), waiting, done, list };
  } catch (error) {
    services.log.error({ err: error }, paymentIssueMessages.loadFailed);
    return { search, isConfigured, refused: [], attempt: "", waiting: [], done: [], list: null };
  }
}

export default function PaymentsPage({ loaderData }: Route.ComponentProps) {
  const { search, isConfigured, refused, attempt, waiting, done, list } = loaderData;
  const here = useLocation();
  const busy = useNavigation().formAction !== undefined;
  return (
    <AdminPage title="Payments" lead="Who has paid for what, and what needs you.">
      <PageHead title="Payments" noindex />
      {!isConfigured && <NotConfigured />}
      <KeyRefused refused={refused} />
      {list ? (
        <>
          <DoneIssueList done={done} busy={busy} />
          <PaymentIssueList waiting={waiting} attempt={attempt} busy={busy} />
          <PaymentList {...list} search={search} here={here} />
        </>
      ) : (
        <LoadFailed message={paymentIssueMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
