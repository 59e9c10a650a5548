import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { compareIssue } from "~/features/newsletter-issues/issue-history.server.ts";
import {
  getIssue,
  restoreIssueVersion,
  versionsOf,
} from "~/features/newsletter-issues/issues.server.ts";
import {
  adminIssuePath,
  adminNewsletterPath,
  issueMessages,
  issueToasts,
} from "~/features/newsletter-issues/messages.ts";
import { SavedVersions } from "~/features/versions/components/saved-versions.tsx";
import { versionNumber } from "~/features/versions/rules.ts";
import { listVersions } from "~/features/versions/versions.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/issue-history.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const issue = await getIssue(services.db.read, params.id).catch((error: unknown) => {
    throw error instanceof Refused ? data(null, 404) : error;
  });
  const timeZone = context.get(timeZoneContext);
  const cursor = url.searchParams.get("at");
  const asked = versionNumber(url.searchParams.get("version"));
  const [list, compared] = await Promise.all([
    listVersions(services, versionsOf(issue.id), { cursor, limit: rowsAPage, timeZone }),
    asked === null ? null : compareIssue(services, issue, asked),
  ]);
  const when = compared && dateAndTime(compared.createdAt, timeZone);
  return { subject: issue.subject, list, compared: compared && { ...compared, when } };
}

/** Brings a version back. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const number = versionNumber((await formFields(request)).number) ?? 0;
  try {
    await restoreIssueVersion(services, params.id, number);
    return redirectWithToast(adminIssuePath(params.id), issueToasts.restored);
  } catch (error) {
    if (error instanceof Refused && error.code === "not_found") throw data(null, 404);
    const { toast } = failure(services, error, issueMessages.failed);
    return redirectWithToast(`${adminIssuePath(params.id)}/history?version=${number}`, toast);
  }
}

export default function IssueHistory({ loaderData, params }: Route.ComponentProps) {
  const { subject, list, compared } = loaderData;
  return (
    <AdminPage
      title="History"
      lead="While you write, a version is kept every ten minutes, and when you send."
      above={[
        { href: adminNewsletterPath, label: "Newsletter" },
        { href: adminIssuePath(params.id), label: subject || "The issue" },
      ]}
    >
      <PageHead title={`${subject} - History`} noindex />
      <SavedVersions list={list} compared={compared} />
    </AdminPage>
  );
}
