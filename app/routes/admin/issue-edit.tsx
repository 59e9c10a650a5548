import { History, Trash2 } from "lucide";
import { data, Form, redirect } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { firstFieldError } from "~/features/auth/rules.ts";
import { readSeenDrafts } from "~/features/drafts/rules.ts";
import { IssueEditor } from "~/features/newsletter-issues/components/issue-editor.tsx";
import { IssueProgress } from "~/features/newsletter-issues/components/issue-progress.tsx";
import {
  resumeIssue,
  sendDoubtfulAgain,
  stopIssue,
  unscheduleIssue,
} from "~/features/newsletter-issues/dispatch.server.ts";
import {
  createIssue,
  deleteIssue,
  getIssue,
  saveIssue,
  showInArchive,
} from "~/features/newsletter-issues/issues.server.ts";
import {
  issueMessages,
  issuePath,
  issuesPath,
  issueToasts,
  stateWords,
} from "~/features/newsletter-issues/messages.ts";
import { issueWords } from "~/features/newsletter-issues/schema.ts";
import { standingOf } from "~/features/newsletter-issues/standing.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, typedZone } from "~/platform/http/context.ts";
import { failure, redirectWithToast, type Toast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Services } from "~/platform/http/services.ts";
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
    ...{ id, userId, subject, state, isDeleting: url.searchParams.has("delete") },
    stored: { id: draftId, revision, words: { subject, preview, body } },
    when: when && dateAndTime(when, typedZone(context)),
    standing: state === "draft" ? null : await standingOf(services, issue),
  };
}

type Fields = Record<string, string | undefined>;

async function perform(services: Services, id: string, intent: string): Promise<Toast | null> {
  switch (intent) {
    case "unschedule":
      await unscheduleIssue(services, id);
      return issueToasts.unscheduled;
    case "stop":
      await stopIssue(services, id);
      return issueToasts.stopped;
    case "resume":
      await resumeIssue(services, id);
      return issueToasts.resumed;
    case "again":
      await sendDoubtfulAgain(services, id);
      return issueToasts.again;
    case "show":
    case "hide":
      await showInArchive(services, id, intent === "show");
      return intent === "show" ? issueToasts.shown : issueToasts.hidden;
    default:
      return null;
  }
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const fields = await formFields(request);
  const { id } = params;
  const { intent = "" } = fields;
  if (intent === "send") return save(services, id, fields);
  try {
    if (intent === "duplicate") {
      const copy = await createIssue(services, id);
      return redirectWithToast(issuePath(copy), issueToasts.duplicated);
    }
    if (intent === "delete") {
      await deleteIssue(services, id);
      return redirectWithToast(issuesPath, issueToasts.deleted);
    }
    const toast = await perform(services, id, intent);
    if (!toast) throw data(null, 400);
    return redirectWithToast(issuePath(id), toast);
  } catch (error) {
    if (error instanceof Refused && error.code === "not_found") throw data(null, 404);
    if (!(error instanceof Error)) throw error;
    return redirectWithToast(issuePath(id), failure(services, error, issueMessages.failed).toast);
  }
}

/** Saves the whole form, then goes on to sending. */
async function save(services: Services, id: string, fields: Fields) {
  const typed = { subject: "", preview: "", body: "", ...fields };
  const { subject, preview, body } = typed;
  const [own, ...absorbed] = readSeenDrafts(fields.drafts);
  const refuse = (field: string, message: string, status = 400) =>
    data({ problem: { field, message, words: { subject, preview, body } } }, { status });
  const read = issueWords.safeParse(typed);
  if (!read.success) {
    const error = firstFieldError(read);
    return refuse(error?.field ?? "", error?.message ?? issueMessages.failed);
  }
  // Without scripts the form names only the save that it began with.
  const isPlain = absorbed.length === 0;
  const save = isPlain
    ? { draftId: newId(), revision: 0, absorbed: own ? [own] : [] }
    : { draftId: own?.id ?? newId(), revision: own?.revision ?? 0, absorbed };
  try {
    await saveIssue(services, id, { ...save, ...read.data });
    return redirect(`${issuePath(id)}/send`, 303);
  } catch (error) {
    if (error instanceof Refused && error.code === "not_found") throw data(null, 404);
    const { toast } = failure(services, error, issueMessages.failed);
    return refuse("", toast.description ?? toast.title, 409);
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function IssueEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { id, userId, subject, state, stored, when, standing, isDeleting } = loaderData;
  const problem = actionData && "problem" in actionData ? actionData.problem : null;
  const title = subject || "A new issue";
  return (
    <AdminPage
      title={title}
      lead={[stateWords[state], when].filter(Boolean).join(", ")}
      above={[{ href: issuesPath, label: "Newsletter" }]}
      actions={
        state === "draft" && (
          <>
            <ButtonLink href={`${issuePath(id)}/history`} variant="ghost">
              <Icon of={History} /> History
            </ButtonLink>
            <ButtonLink href={`${issuePath(id)}?delete=1`} variant="ghost">
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
          closeHref={issuePath(id)}
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
