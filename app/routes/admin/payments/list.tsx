import { useLocation, useNavigation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { KeyRefused } from "~/features/payments/access/components/key-refused.tsx";
import { findRefusals } from "~/features/payments/access/gateway.server.ts";
import { AttentionList } from "~/features/payments/attention/components/attention-list.tsx";
import { attentionMessages } from "~/features/payments/attention/texts.ts";
import { NotConfigured } from "~/features/payments/listing/components/not-configured.tsx";
import { PaymentList } from "~/features/payments/listing/components/payment-list.tsx";
import {
  dashboardOf,
  listAttention,
  listPayments,
} from "~/features/payments/listing/queries.server.ts";
import { paymentLine } from "~/features/payments/listing/rules.ts";
import { paymentSorts } from "~/features/payments/listing/schema.ts";
import { PageHead } from "~/page-head.tsx";
import { newId } from "~/platform/db/ids.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { DeskPage } from "~/ui/desk.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import type { Route } from "./+types/list.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const { search, cursor } = readListParams(url, paymentSorts);
  const isConfigured = services.stripe !== null;
  const day = (date: Date) => shortDate(date, context.get(timeZoneContext));
  const words = { day, dashboard: dashboardOf(services) };
  try {
    const [refused, waiting, { rows, previous, next }] = await Promise.all([
      findRefusals(services),
      listAttention(services),
      listPayments(services, { search, cursor, limit: rowsAPage }),
    ]);
    return {
      search,
      isConfigured,
      refused,
      attempt: newId(),
      waiting: waiting.map((payment) => paymentLine(payment, words)),
      list: { lines: rows.map((payment) => paymentLine(payment, words)), previous, next },
    };
  } catch (error) {
    services.log.error({ err: error }, attentionMessages.loadFailed);
    return { search, isConfigured, refused: [], attempt: "", waiting: [], list: null };
  }
}

export default function PaymentsPage({ loaderData }: Route.ComponentProps) {
  const { search, isConfigured, refused, attempt, waiting, list } = loaderData;
  const here = useLocation();
  const busy = useNavigation().formAction !== undefined;
  return (
    <DeskPage title="Payments" lead="Who has paid for what, and what needs you.">
      <PageHead title="Payments" noindex />
      {!isConfigured && <NotConfigured />}
      <KeyRefused refused={refused} />
      {list ? (
        <>
          <AttentionList waiting={waiting} attempt={attempt} busy={busy} />
          <PaymentList {...list} search={search} here={here} />
        </>
      ) : (
        <LoadFailed message={attentionMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </DeskPage>
  );
}
