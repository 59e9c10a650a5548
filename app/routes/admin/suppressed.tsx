import { data, useLocation, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { SuppressionForm } from "~/features/suppressions/components/suppression-form.tsx";
import {
  LiftSuppression,
  SuppressionList,
} from "~/features/suppressions/components/suppression-list.tsx";
import {
  ratesInWords,
  suppressedPath,
  suppressionMessages,
  suppressionReasons,
} from "~/features/suppressions/messages.ts";
import { bounceRates } from "~/features/suppressions/rates.server.ts";
import { rateDays } from "~/features/suppressions/rules.ts";
import {
  findSuppression,
  liftSuppression,
  listSuppressions,
  suppressByHand,
  suppressionLine,
} from "~/features/suppressions/suppressions.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { listAddress, rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/suppressed.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { search, cursor } = readListParams(url, { newest: "desc" });
  const reason = suppressionReasons.find((one) => one === url.searchParams.get("kind")) ?? null;
  const asked = { search, reason };
  const timeZone = context.get(timeZoneContext);
  try {
    const [{ rows: lines, ...pages }, rates, found] = await Promise.all([
      listSuppressions(services, { ...asked, cursor, limit: rowsAPage }, timeZone),
      bounceRates(services.db.read, services.clock.now()),
      findSuppression(services, url.searchParams.get("delete") ?? ""),
    ]);
    const lifting = found && suppressionLine(found, timeZone);
    return { asked, loaded: { list: { ...pages, lines }, rates, lifting } };
  } catch (error) {
    services.log.error({ err: error }, suppressionMessages.loadFailed);
    return { asked, loaded: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, id = "", address = "", note = "" } = await formFields(request);
  try {
    if (intent === "lift") {
      await liftSuppression(services, id);
      return redirectWithToast(listAddress(url), suppressionMessages.lifted);
    }
    const error = await suppressByHand(services, { address, note });
    if (error) return data({ error, typed: { address, note } }, 400);
    return redirectWithToast(suppressedPath, suppressionMessages.added);
  } catch (error) {
    const { toast } = failure(services, error, suppressionMessages.failed);
    return redirectWithToast(listAddress(url), toast);
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

const title = "Addresses that get no email";

export default function SuppressedPage({ loaderData, actionData }: Route.ComponentProps) {
  const { asked, loaded } = loaderData;
  const here = useLocation();
  const { formData } = useNavigation();
  const refused = actionData && "typed" in actionData ? actionData : null;
  return (
    <AdminPage
      title={title}
      lead="They bounced, complained or were added by hand. Only emails about the security of their account still go there."
      above={[{ href: "/admin/mail", label: "Email" }]}
    >
      <PageHead title={title} noindex />
      {loaded ? (
        <>
          {loaded.rates.sent > 0 && (
            <p className="mb-6 max-w-[46rem]">{ratesInWords(loaded.rates, rateDays)}</p>
          )}
          <SuppressionList {...loaded.list} asked={asked} here={here} />
          {loaded.lifting && <LiftSuppression line={loaded.lifting} here={here} />}
        </>
      ) : (
        <LoadFailed message={suppressionMessages.loadFailed} href={here.pathname + here.search} />
      )}
      <section className="admin-part" aria-labelledby="add">
        <h2 id="add">Add an address</h2>
        <SuppressionForm
          typed={refused?.typed ?? { address: "", note: "" }}
          error={refused?.error ?? null}
          busy={formData?.get("intent") === "add"}
        />
      </section>
    </AdminPage>
  );
}
