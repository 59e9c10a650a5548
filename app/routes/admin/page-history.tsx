import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { compareVersion } from "~/features/pages/history.server.ts";
import { pageMessages } from "~/features/pages/messages.ts";
import { requirePage } from "~/features/pages/pages.server.ts";
import { restoreVersion } from "~/features/pages/publish.server.ts";
import { fieldLink } from "~/features/pages/rules.ts";
import { ComparedVersion } from "~/features/versions/components/compared-version.tsx";
import { VersionList } from "~/features/versions/components/version-list.tsx";
import { versionNumber } from "~/features/versions/rules.ts";
import { listVersions } from "~/features/versions/versions.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/page-history.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const page = await requirePage(services, params.id);
  const timeZone = context.get(timeZoneContext);
  const cursor = url.searchParams.get("at");
  const asked = versionNumber(url.searchParams.get("version"));
  const [list, compared] = await Promise.all([
    listVersions(services, page.subject, { cursor, limit: rowsAPage, timeZone }),
    asked === null ? null : compareVersion(services, page, asked),
  ]);
  return { name: page.name, label: page.label, list, compared };
}

/** Publishes an older version once more. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const page = await requirePage(services, params.id);
  const fields = await formFields(request);
  const [number, current] = [versionNumber(fields.number), versionNumber(fields.current)];
  const here = `/admin/pages/${page.name}/history`;
  try {
    await restoreVersion(services, page, { number: number ?? -1, current: current ?? -1 });
    return redirectWithToast(here, pageMessages.restored);
  } catch (error) {
    return redirectWithToast(here, failure(services, error, pageMessages.failed).toast);
  }
}

export default function PageHistory({ loaderData }: Route.ComponentProps) {
  const { name, label, list, compared } = loaderData;
  const here = useLocation();
  return (
    <AdminPage
      title="History"
      lead="Every version that was public, newest first. An older one can be published again."
      above={[
        { href: "/admin/pages", label: "Pages" },
        { href: `/admin/pages/${name}`, label },
      ]}
    >
      <PageHead title={`${label} - History`} noindex />
      {compared && (
        <ComparedVersion
          title={compared.title}
          changes={compared.changes}
          linkOf={(field) => fieldLink(name, field)}
          same="It says the same as what is public now."
          lead="If you publish it again, these words come, and those struck through go."
          fields={{ number: compared.number, current: compared.current }}
          button="Publish this version again"
        />
      )}
      <VersionList
        {...list}
        here={here}
        done="Published"
        unknown="Somebody without an account now"
        none={{ title: "Nothing was published yet" }}
        first={{ title: "First edition", when: "With the site" }}
      />
    </AdminPage>
  );
}
