import { History, Trash2 } from "lucide";
import { data, Form, redirect } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { IssueEditor } from "~/features/newsletter-issues/components/issue-editor.tsx";
import { IssueProgress } from "~/features/newsletter-issues/components/issue-progress.tsx";
import { changeIssue, saveIssueForm } from "~/features/newsletter-issues/issue-form.server.ts";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import {
  adminIssuePath,
  adminNewsletterPath,
  issueMessages,
  issueStateInWords,
} from "~/features/newsletter-issues/messages.ts";
import { issueStandingOf } from "~/features/newsletter-issues/standing.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, typedZone } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { Icon } from "~/ui/icon.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/issue-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const issue = await getIssue(services.db.write, params.id).catch((error: unknown) => {
    throw error instanceof Refused ? data(null, 404) : error;
  });
  const { id, subject, preview, body, state, draftId, revision } = issue;
  const when = state === "scheduled" ? issue.dueAt : issue.startedAt;
  return {
    ...{ id, userId, subject, state, inWords: issueStateInWords(issue) },
    ...{ isDeleting: url.searchParams.has("delete") },
    stored: { id: draftId, revision, words: { subject, preview, body } },
    when: when && dateAndTime(when, typedZone(context)),
    standing: state === "draft" ? null : await issueStandingOf(services, issue),
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const fields = await formFields(request);
  const { id } = params;
  try {
    if (fields.intent !== "send") return await changeIssue(services, id, fields.intent ?? "");
    const problem = await saveIssueForm(services, id, fields);
    return problem ? data({ problem }, 400) : redirect(`${adminIssuePath(id)}/send`, 303);
  } catch (error) {
    if (error instanceof Refused && error.code === "not_found") throw data(null, 404);
    if (!(error instanceof Error)) throw error;
    return redirectWithToast(
      adminIssuePath(id),
      failure(services, error, issueMessages.failed).toast,
    );
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function IssueEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { id, userId, subject, state, inWords, stored, when, standing, isDeleting } = loaderData;
  const problem = actionData && "problem" in actionData ? actionData.problem : null;
  const title = subject || "A new issue";
  return (
    <AdminPage
      title={title}
      lead={[inWords, when].filter(Boolean).join(", ")}
      above={[{ href: adminNewsletterPath, label: "Newsletter" }]}
      actions={
        state === "draft" && (
          <>
            <ButtonLink href={`${adminIssuePath(id)}/history`} variant="ghost">
              <Icon of={History} /> History
            </ButtonLink>
            <ButtonLink href={`${adminIssuePath(id)}?delete=1`} variant="ghost">
              <Icon of={Trash2} /> Delete
            </ButtonLink>
          </>
        )
      }
    >
      <PageHead title={`${title} - Newsletter`} noindex />
      {standing ? (
        <IssueProgress {...standing} />
      ) : (
        <IssueEditor key={id} userId={userId} issueId={id} stored={stored} problem={problem} />
      )}
      {isDeleting && !standing && (
        <LinkedConfirmDialog
          id="delete-issue"
          title="Delete this draft?"
          closeHref={adminIssuePath(id)}
          form={
            <Form method="post">
              <Button type="submit" name="intent" value="delete" variant="destructive">
                Delete
              </Button>
            </Form>
          }
        >
          <p>“{title}” goes with all its versions. It has not been sent to anybody.</p>
        </LinkedConfirmDialog>
      )}
    </AdminPage>
  );
}
