import { data, redirectDocument } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { exportProblems } from "~/features/subscriber-import/imports.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import type { Route } from "./+types/subscriber-import-problems.ts";

export async function loader({ request, context, url, params }: Route.LoaderArgs) {
  requireAdmin(context, url);
  if (isFromScript(request)) throw redirectDocument(url.pathname + url.search);
  const file = await exportProblems(servicesOf(context), params.id);
  if (!file) throw data(null, 404);
  return new Response(file, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="rows-to-look-at.csv"',
    },
  });
}
