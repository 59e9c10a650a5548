import { Plus } from "lucide";
import { Form, redirect, useLocation, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { countSubscribers } from "~/features/newsletter/subscribers.server.ts";
import { givesLastIssue } from "~/features/newsletter/welcome-series.server.ts";
import { IssueList } from "~/features/newsletter-issues/components/issue-list.tsx";
import { changeLastIssue, createIssue } from "~/features/newsletter-issues/issues.server.ts";
import {
  adminIssuePath,
  adminNewsletterPath,
  issueMessages,
  issueToasts,
} from "~/features/newsletter-issues/messages.ts";
import { listIssueLines } from "~/features/newsletter-issues/standing.server.ts";
import { servicesOf, typedZone } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { Icon } from "~/ui/icon.tsx";
import { Checkbox } from "~/ui/inputs.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter.ts";

const rowsAPage = 20;

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { newsletterForm } = services.config;
  const provider = newsletterForm && new URL(newsletterForm.url).host;
  const at = { cursor: url.searchParams.get("at"), limit: rowsAPage };
  try {
    const [counts, list, isLastGiven] = await Promise.all([
      countSubscribers(services),
      listIssueLines(services, at, typedZone(context)),
      givesLastIssue(services.db.write),
    ]);
    return { provider, loaded: { counts, list, isLastGiven } };
  } catch (error) {
    services.log.error({ err: error }, issueMessages.loadFailed);
    return { provider, loaded: null };
  }
}

/** Begins an issue, or changes what new readers get. */
export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, lastIssue } = await formFields(request);
  if (intent !== "last-issue") return redirect(adminIssuePath(await createIssue(services)), 303);
  const isGiven = lastIssue === "on";
  await changeLastIssue(services, isGiven);
  const toast = isGiven ? issueToasts.lastIssueOn : issueToasts.lastIssueOff;
  return redirectWithToast(adminNewsletterPath, toast);
}

export default function NewsletterPage({ loaderData }: Route.ComponentProps) {
  const { provider, loaded } = loaderData;
  const here = useLocation();
  return (
    <AdminPage
      title="Newsletter"
      lead={
        provider
          ? `New signups go to your newsletter provider (${provider}).`
          : "The list is on this site. A new subscriber confirms by email first."
      }
      actions={
        <>
          <ButtonLink variant="outline" href="/admin/newsletter/subscribers">
            Subscribers
          </ButtonLink>
          <Form method="post">
            <Button type="submit">
              <Icon of={Plus} /> Write an issue
            </Button>
          </Form>
        </>
      }
    >
      <PageHead title="Newsletter" noindex />
      {provider && (
        <Notice className="mb-8">
          <p>
            Who subscribes now is in the provider’s list, and the provider sends to it. What you
            send from here goes to the site’s own list alone, from the time before.
          </p>
        </Notice>
      )}
      {loaded ? (
        <>
          <dl className="admin-facts">
            <Fact name="Confirmed" value={loaded.counts.confirmed}>
              {loaded.counts.confirmed > 0 ? "Get the newsletter." : "The list is empty."}
            </Fact>
            <Fact name="Waiting" value={loaded.counts.waiting}>
              Have not pressed the link in their email yet. After 30 days they are deleted.
            </Fact>
          </dl>
          <section className="admin-part" aria-labelledby="issues">
            <h2 id="issues">Issues</h2>
            {loaded.list.lines.length === 0 ? (
              <EmptyState title="Nothing written yet">
                <p>
                  An issue is saved while you write it. You see it as it will arrive, and send it
                  when you say so.
                </p>
              </EmptyState>
            ) : (
              <IssueList {...loaded.list} here={here} />
            )}
            <p className="mt-6 max-w-[46rem] text-sm text-ink-soft">{issueMessages.notTracked}</p>
          </section>
          {!provider && <NewReaders isLastGiven={loaded.isLastGiven} />}
        </>
      ) : (
        <LoadFailed message={issueMessages.loadFailed} href="/admin/newsletter" />
      )}
    </AdminPage>
  );
}

/** What somebody gets who confirms. */
function NewReaders({ isLastGiven }: { isLastGiven: boolean }) {
  const busy = useNavigation().formData?.get("intent") === "last-issue";
  return (
    <section className="admin-part" aria-labelledby="new-readers">
      <h2 id="new-readers">New readers</h2>
      <p className="max-w-[46rem] text-ink-soft">
        An issue can also go to each new reader some days after they confirm, one after another.
        Write one, and choose that under ‘When’. Who unsubscribes gets no more of them.
      </p>
      <Form method="post" preventScrollReset className="mt-6 flex flex-wrap items-center gap-4">
        <Checkbox
          key={String(isLastGiven)}
          name="lastIssue"
          defaultChecked={isLastGiven}
          label="New readers get the last issue when they confirm"
        />
        <Button type="submit" name="intent" value="last-issue" variant="outline" busy={busy}>
          Save
        </Button>
      </Form>
    </section>
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
