import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { Checklist, readinessWords } from "~/features/readiness/components/checklist.tsx";
import { listReadiness } from "~/features/readiness/readiness.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/ready.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return { checks: await listReadiness(servicesOf(context)) };
}

/** The checklist before opening: what is still a sample, and what would go wrong. */
export default function Ready({ loaderData: { checks } }: Route.ComponentProps) {
  return (
    <AdminPage title="Before you open" lead={readinessWords(checks)}>
      <PageHead title="Before you open" noindex />
      <Checklist checks={checks} />
      <section className="admin-part" id="server" aria-labelledby="on-the-server">
        <h2 id="on-the-server">On the server</h2>
        <p className="max-w-[42rem] text-ink-soft">
          Keys, mail server, address, backups and disk are put right there, by the person who looks
          after the server: docs/operating.md says how. <code>npm run doctor</code> prints this
          list, and what can be seen only from there, such as the records that let your emails
          arrive.
        </p>
      </section>
    </AdminPage>
  );
}
