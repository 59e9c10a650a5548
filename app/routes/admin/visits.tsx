import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { VisitFigures } from "~/features/figures/components/visit-figures.tsx";
import { visitsLoadFailed } from "~/features/figures/messages.ts";
import { readVisits } from "~/features/figures/visits.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/visits.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const visits = await readVisits(services, context.get(timeZoneContext)).catch(
    (error: unknown) => {
      services.log.error({ err: error }, visitsLoadFailed);
      return null;
    },
  );
  return { visits };
}

export default function VisitsPage({ loaderData: { visits } }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Visits"
      lead="How many came to the public pages, and from where."
      above={[{ href: "/admin", label: "Overview" }]}
    >
      <PageHead title="Visits" noindex />
      {visits ? (
        <VisitFigures {...visits} />
      ) : (
        <LoadFailed message={visitsLoadFailed} href="/admin/visits" />
      )}
    </AdminPage>
  );
}
