import { Form } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { marked } from "~/features/pages/differences.server.ts";
import { listPageDrafts } from "~/features/pages/drafts.server.ts";
import { pageMessages } from "~/features/pages/messages.ts";
import { requirePage } from "~/features/pages/pages.server.ts";
import { getPageChanges, publishPage } from "~/features/pages/publish.server.ts";
import { fieldLink, pageSubject, readShown, shownText } from "~/features/pages/rules.ts";
import { AddToRelease, TimeForm } from "~/features/releases/components/release-forms.tsx";
import { releaseMessages, releaseTitle } from "~/features/releases/messages.ts";
import { schedulePage } from "~/features/releases/publish-release.server.ts";
import { addPage, createRelease, listOpenReleases } from "~/features/releases/releases.server.ts";
import { MarkedChanges } from "~/features/versions/components/marked-changes.tsx";
import { servicesOf, typedZone } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/page-publish.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const page = await requirePage(servicesOf(context), params.id);
  const services = servicesOf(context);
  const [{ changes, shown }, releases, ofSite] = await Promise.all([
    getPageChanges(services, page),
    listOpenReleases(services),
    page.kind === "site" ? [] : listPageDrafts(services.db.read, pageSubject("site")),
  ]);
  return {
    ...{ releases, zone: typedZone(context), isSiteDrafted: ofSite.length > 0 },
    ...{ name: page.name, label: page.label, path: page.path },
    changes: changes.map((change) => marked(page.kind, change)),
    shown: shownText(shown),
  };
}

/** Publishes what was shown, at once or at a time; or puts the drafts into a release. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const page = await requirePage(services, params.id);
  const fields = await formFields(request);
  const shown = readShown(fields.shown);
  try {
    if (fields.intent === "release") {
      const release =
        fields.release || (await createRelease(services, fields.title || releaseTitle(page.label)));
      await addPage(services, release, page.name);
      return redirectWithToast(`/admin/releases/${release}`, releaseMessages.added);
    }
    if (!shown) throw new Refused("invalid", pageMessages.notAsShown);
    if (fields.intent === "schedule") {
      const time = { at: fields.at ?? "", timeZone: typedZone(context) };
      const release = await schedulePage(services, page, { shown, ...time });
      return redirectWithToast(`/admin/releases/${release}`, releaseMessages.scheduled);
    }
    await publishPage(services, page, shown);
    return redirectWithToast(page.path ?? "/admin/pages", pageMessages.published);
  } catch (error) {
    const { toast } = failure(services, error, pageMessages.failed);
    return redirectWithToast(`/admin/pages/${page.name}/publish`, toast);
  }
}

export default function PagePublish({ loaderData }: Route.ComponentProps) {
  const { name, label, path, changes, shown, releases, zone, isSiteDrafted } = loaderData;
  const isGood = changes.length > 0 && changes.every(({ problem }) => problem === null);
  return (
    <AdminPage
      title="Look and publish"
      lead={
        changes.length > 0
          ? "New words are marked, and what goes away is struck through."
          : pageMessages.nothingToPublish
      }
      above={[
        { href: "/admin/pages", label: "Pages" },
        { href: `/admin/pages/${name}`, label },
      ]}
      actions={
        path && (
          <ButtonLink href={`${path}?edit`} variant="outline" size="sm">
            Back to the page
          </ButtonLink>
        )
      }
    >
      <PageHead title={`${label} - Publish`} noindex />
      <MarkedChanges changes={changes} linkOf={(field) => fieldLink(name, field)} />
      {changes.length > 0 && (
        <Form method="post" className="page-publish">
          <input type="hidden" name="shown" value={shown} />
          <Button type="submit" disabled={!isGood}>
            Publish now
          </Button>
          {!isGood && <p className="field-hint">{pageMessages.cannotPublish}</p>}
        </Form>
      )}
      {isGood && (
        <>
          <TimeForm zone={zone} button="Schedule" shown={shown} />
          <AddToRelease releases={releases} />
        </>
      )}
      {isSiteDrafted && (
        <Notice className="mt-8">
          {pageMessages.siteDrafted}{" "}
          <a href="/admin/pages/site/publish">Look at them and publish them</a>.
        </Notice>
      )}
    </AdminPage>
  );
}
