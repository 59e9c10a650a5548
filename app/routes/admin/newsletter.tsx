import { Download } from "lucide";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { countSubscribers } from "~/features/newsletter/subscribers.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter.ts";

const loadFailed = "Failed to load the newsletter’s list";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { newsletterForm } = services.config;
  const provider = newsletterForm && new URL(newsletterForm.url).host;
  try {
    return { provider, counts: await countSubscribers(services) };
  } catch (error) {
    services.log.error({ err: error }, "the newsletter's list could not be counted");
    return { provider, counts: null };
  }
}

export default function NewsletterPage({ loaderData }: Route.ComponentProps) {
  const { provider, counts } = loaderData;
  return (
    <AdminPage
      title="Newsletter"
      lead={
        provider
          ? `New signups go to your newsletter provider (${provider}).`
          : "The list is on this site. A new subscriber confirms by email first."
      }
      actions={
        counts &&
        counts.confirmed > 0 && (
          <ButtonLink variant="outline" download href="/admin/export/subscribers">
            <Icon of={Download} /> Export as CSV
          </ButtonLink>
        )
      }
    >
      <PageHead title="Newsletter" noindex />
      {provider && (
        <Notice className="mb-8">
          <p>
            Who subscribes now is in the provider’s list, which cannot be counted from here. Below
            is the site’s own list, from the time before.
          </p>
        </Notice>
      )}
      {counts ? (
        <dl className="admin-facts">
          <Fact name="Confirmed" value={counts.confirmed}>
            {counts.confirmed > 0 ? "Get the newsletter." : "The list is empty."}
          </Fact>
          <Fact name="Waiting" value={counts.waiting}>
            Have not pressed the link in their email yet. After 30 days they are deleted.
          </Fact>
        </dl>
      ) : (
        <LoadFailed message={loadFailed} href="/admin/newsletter" />
      )}
    </AdminPage>
  );
}

function Fact({ name, value, children }: { name: string; value: number; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="font-serif text-4xl tabular-nums">{value.toLocaleString("en-US")}</dd>
      <dd className="max-w-[22rem] text-sm text-ink-soft">{children}</dd>
    </div>
  );
}
