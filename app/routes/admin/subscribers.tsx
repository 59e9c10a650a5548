import { Download, Plus, Upload } from "lucide";
import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { SubscriberList } from "~/features/newsletter/components/subscriber-list.tsx";
import {
  type SubscriberState,
  subscriberMessages,
  subscriberStates,
  subscribersPath,
} from "~/features/newsletter/messages.ts";
import { readSubscribers } from "~/features/newsletter/subscriber-list.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/subscribers.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { newsletterForm } = services.config;
  const provider = newsletterForm && new URL(newsletterForm.url).host;
  const { search, cursor } = readListParams(url, { newest: "desc" });
  const state = url.searchParams.get("state") ?? "";
  const known = Object.hasOwn(subscriberStates, state) ? (state as SubscriberState) : null;
  const asked = { search, state: known };
  const timeZone = context.get(timeZoneContext);
  try {
    const list = await readSubscribers(services, { ...asked, cursor, limit: rowsAPage }, timeZone);
    return { provider, asked, list };
  } catch (error) {
    services.log.error({ err: error }, "the list of subscribers could not be read");
    return { provider, asked, list: null };
  }
}

export default function SubscribersPage({ loaderData }: Route.ComponentProps) {
  const { provider, asked, list } = loaderData;
  const here = useLocation();
  return (
    <AdminPage
      title="Subscribers"
      lead="Who gets your newsletter, who waits to confirm, and who has left."
      above={[{ href: "/admin/newsletter", label: "Newsletter" }]}
      actions={
        <>
          {list && list.total !== 0 && (
            <ButtonLink variant="outline" download href="/admin/export/subscribers">
              <Icon of={Download} /> Export as CSV
            </ButtonLink>
          )}
          <ButtonLink variant="outline" href="/admin/newsletter/import">
            <Icon of={Upload} /> Import a file
          </ButtonLink>
          <ButtonLink href={`${subscribersPath}/new`}>
            <Icon of={Plus} /> Add somebody
          </ButtonLink>
        </>
      }
    >
      <PageHead title="Subscribers" noindex />
      {provider && (
        <Notice className="mb-8">
          <p>
            New signups go to your newsletter provider ({provider}), who has the list. Below is the
            site’s own list, from the time before.
          </p>
        </Notice>
      )}
      {list ? (
        <SubscriberList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={subscriberMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
