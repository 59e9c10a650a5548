import { useLocation } from "react-router";
import {
  auditLine,
  listActors,
  listAudit,
  readAuditFilter,
} from "~/features/audit-log/audit-log.server.ts";
import { AuditList } from "~/features/audit-log/components/audit-list.tsx";
import { auditMessages } from "~/features/audit-log/messages.ts";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/audit-log.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = readAuditFilter(url);
  const cursor = url.searchParams.get("at");
  try {
    const [{ rows, ...pages }, people] = await Promise.all([
      listAudit(services, { ...asked, cursor, limit: rowsAPage }),
      listActors(services, asked.by),
    ]);
    const lines = rows.map((row) => auditLine(row, context.get(timeZoneContext)));
    return { asked, list: { lines, people, ...pages } };
  } catch (error) {
    services.log.error({ err: error }, auditMessages.loadFailed);
    return { asked, list: null };
  }
}

export default function AuditPage({ loaderData }: Route.ComponentProps) {
  const { asked, list } = loaderData;
  const here = useLocation();
  return (
    <AdminPage
      title="Audit log"
      lead="Every change made in the admin, with who made it. Entries stay for two years and cannot be changed."
      above={[{ href: "/admin/settings", label: "Settings" }]}
    >
      <PageHead title="Audit log" noindex />
      {list ? (
        <AuditList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={auditMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
