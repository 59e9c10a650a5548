import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { HelpSources } from "~/features/help/components/help-sources.tsx";
import { helpDue, listHelp } from "~/features/help/help.server.ts";
import { dueAfterDays } from "~/features/help/rules.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/help.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return { ...listHelp(), due: helpDue(servicesOf(context).clock.now()) };
}

export default function HelpSourcesPage({ loaderData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Help numbers"
      lead={`Where the numbers for people in danger are from. After ${dueAfterDays} days they are due for a look.`}
      above={[{ href: "/admin/settings", label: "Settings" }]}
    >
      <PageHead title="Help numbers" noindex />
      <HelpSources {...loaderData} />
    </AdminPage>
  );
}
