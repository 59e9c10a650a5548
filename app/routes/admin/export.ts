import { data, redirectDocument } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { auditExport, exportList } from "~/features/progress/export.server.ts";

import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import type { Route } from "./+types/export.ts";

export async function loader({ request, context, url, params }: Route.LoaderArgs) {
  requireAdmin(context, url);
  // The browser has to download the file; the router must not fetch it.
  if (isFromScript(request)) throw redirectDocument(url.pathname + url.search);
  const services = servicesOf(context);
  const file = await exportList(services, params.list, {
    url,
    timeZone: context.get(timeZoneContext),
  });
  if (!file) throw data(null, 404);
  await auditExport(services, params.list);
  const day = services.clock.now().toISOString().slice(0, 10);
  return new Response(file, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${params.list}-${day}.csv"`,
    },
  });
}
