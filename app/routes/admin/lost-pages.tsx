import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { LostTable } from "~/features/redirects/components/lost-list.tsx";
import { redirectMessages, redirectsPath } from "~/features/redirects/messages.ts";
import { changeList } from "~/features/redirects/redirect-form.server.ts";
import { readLostPages } from "~/features/redirects/redirect-lines.server.ts";
import { lostPagesStoredDays } from "~/features/redirects/rules.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { List, listAddress, rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/lost-pages.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { cursor } = readListParams(url, { requests: "desc" });
  try {
    return { list: await readLostPages(services, { cursor, limit: rowsAPage }) };
  } catch (error) {
    services.log.error({ err: error }, redirectMessages.loadFailed);
    return { list: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  return changeList(servicesOf(context), await formFields(request), listAddress(url));
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

const title = "Not found";

export default function LostPagesPage({ loaderData: { list } }: Route.ComponentProps) {
  const here = useLocation();
  return (
    <AdminPage
      title={title}
      lead={`What visitors asked for and did not find, in the last ${lostPagesStoredDays} days.`}
      above={[
        { href: "/admin/settings", label: "Settings" },
        { href: redirectsPath, label: "Addresses" },
      ]}
    >
      <PageHead title={title} noindex />
      {list ? (
        <List
          {...list}
          here={here}
          things="addresses"
          empty={
            <EmptyState title="Nothing was missed">
              <p>No visitor has asked for a page that is not there.</p>
            </EmptyState>
          }
          notFound={{ title: "Nothing more" }}
        >
          {list.lines.length > 0 && <LostTable lines={list.lines} />}
        </List>
      ) : (
        <LoadFailed message={redirectMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
