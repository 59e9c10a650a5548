import { Plus } from "lucide";
import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { LostTable } from "~/features/redirects/components/lost-list.tsx";
import { RedirectList, RemoveRedirect } from "~/features/redirects/components/redirect-list.tsx";
import { lostPagesPath, redirectMessages, redirectsPath } from "~/features/redirects/messages.ts";
import { changeList } from "~/features/redirects/redirect-form.server.ts";
import { readLostPages, readRedirects } from "~/features/redirects/redirect-lines.server.ts";
import { getRedirect, redirectSorts } from "~/features/redirects/redirects.server.ts";
import { shownPath } from "~/features/redirects/rules.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { routePatternContext, servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { listAddress, rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/redirects.ts";

const lostShown = 5;

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { search, sort, direction, cursor } = readListParams(url, redirectSorts);
  const asked = { search, sort, direction };
  const patternOf = context.get(routePatternContext);
  const timeZone = context.get(timeZoneContext);
  try {
    const [list, lost, found] = await Promise.all([
      readRedirects(services, { ...asked, cursor, limit: rowsAPage }, { patternOf, timeZone }),
      readLostPages(services, { cursor: null, limit: lostShown }),
      getRedirect(services, url.searchParams.get("delete") ?? ""),
    ]);
    const removing = found && {
      id: found.id,
      from: shownPath(found.fromPath),
      target: shownPath(found.target),
    };
    return { asked, loaded: { list, lost, removing } };
  } catch (error) {
    services.log.error({ err: error }, redirectMessages.loadFailed);
    return { asked, loaded: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  return changeList(servicesOf(context), await formFields(request), listAddress(url));
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function RedirectsPage({ loaderData: { asked, loaded } }: Route.ComponentProps) {
  const here = useLocation();
  return (
    <AdminPage
      title="Addresses"
      lead="Old addresses lead to new ones, so that no link ends at “Page Not Found”."
      above={[{ href: "/admin/settings", label: "Settings" }]}
      actions={
        <ButtonLink href={`${redirectsPath}/new`}>
          <Icon of={Plus} /> Add an old address
        </ButtonLink>
      }
    >
      <PageHead title="Addresses" noindex />
      {loaded ? (
        <>
          <RedirectList {...loaded.list} asked={asked} here={here} />
          <section className="admin-part" aria-labelledby="lost">
            <h2 id="lost">Not found</h2>
            <LostIntroduction count={loaded.lost.lines.length} />
            {loaded.lost.lines.length > 0 && <LostTable lines={loaded.lost.lines} />}
            {loaded.lost.next && (
              <p className="mt-5">
                <ButtonLink href={lostPagesPath} variant="outline" size="sm">
                  All {loaded.lost.total?.toLocaleString("en-US")} addresses
                </ButtonLink>
              </p>
            )}
          </section>
          {loaded.removing && <RemoveRedirect removing={loaded.removing} here={here} />}
        </>
      ) : (
        <LoadFailed message={redirectMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}

function LostIntroduction({ count }: { count: number }) {
  return (
    <p className="mb-5 max-w-[46rem] text-ink-soft">
      {count > 0
        ? "What visitors asked for and did not find. Send them on where you know what they were looking for."
        : "No visitor has asked for a page that is not there. When one does, the address is listed here."}
    </p>
  );
}
