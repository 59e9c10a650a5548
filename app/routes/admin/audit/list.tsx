import { useLocation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { AuditList } from "~/features/accounts/audit/components/audit-list.tsx";
import { auditLine, listActors, listAudit } from "~/features/accounts/audit/queries.server.ts";
import { readAuditFilter } from "~/features/accounts/audit/rules.ts";
import { auditTexts } from "~/features/accounts/audit/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { DeskPage } from "~/ui/desk.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import type { Route } from "./+types/list.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
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
    services.log.error({ err: error }, auditTexts.loadFailed);
    return { asked, list: null };
  }
}

export default function AuditPage({ loaderData }: Route.ComponentProps) {
  const { asked, list } = loaderData;
  const here = useLocation();
  return (
    <DeskPage
      title="What was done"
      lead="Every change on this side of the site, with who made it. Kept for two years; nobody can change it."
    >
      <PageHead title="What was done" noindex />
      {list ? (
        <AuditList {...list} asked={asked} here={here} />
      ) : (
        <LoadFailed message={auditTexts.loadFailed} href={here.pathname + here.search} />
      )}
    </DeskPage>
  );
}
