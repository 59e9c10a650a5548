import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { listCourseFilters } from "~/features/courses/courses.server.ts";
import { countRecipients } from "~/features/newsletter/segments.server.ts";
import { checkIssue, findBrokenLinks } from "~/features/newsletter-issues/checks.server.ts";
import {
  IssueChecks,
  SendForm,
  SendReviewForm,
  TestForm,
} from "~/features/newsletter-issues/components/send-form.tsx";
import {
  requireWords,
  reviewIssue,
  seenOf,
  sendTestIssue,
  startIssue,
} from "~/features/newsletter-issues/dispatch.server.ts";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import {
  adminIssuePath,
  adminNewsletterPath,
  issueMessages,
  issueToasts,
} from "~/features/newsletter-issues/messages.ts";
import { readSendOptions } from "~/features/newsletter-issues/schema.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, typedZone } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/issue-send.ts";

/** `?links=check` asks the issue's links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { id: adminId, email } = requireAdmin(context, url);
  const services = servicesOf(context);
  const issue = await getIssue(services.db.write, params.id).catch((error: unknown) => {
    throw error instanceof Refused ? data(null, 404) : error;
  });
  if (issue.state !== "draft")
    throw redirectWithToast(adminIssuePath(issue.id), issueToasts.sending);
  const all = { kind: "all" } as const;
  const [checks, readers, courses, broken] = await Promise.all([
    checkIssue(services, issue),
    countRecipients(services.db, all, services.clock.now()),
    listCourseFilters(services),
    url.searchParams.has("links") ? findBrokenLinks(services, issue.body, adminId) : undefined,
  ]);
  const { id, subject } = issue;
  return {
    ...{ id, subject, checks, courses, email, ...(broken !== undefined && { broken }) },
    ...{ readers: readers.count, seen: seenOf(issue), zone: typedZone(context) },
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const admin = requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, ...typed } = await formFields(request);
  const { id } = params;
  const here = `${adminIssuePath(id)}/send`;
  const timeZone = typedZone(context);
  if (intent === "back") return data({ typed, problem: null, review: null });
  const refuse = (field: string, message: string) =>
    data({ typed, problem: { field, message }, review: null }, 400);
  try {
    if (intent === "test") {
      await sendTestIssue(services, id, admin);
      return redirectWithToast(here, issueToasts.tested(admin.email));
    }
    const options = readSendOptions(typed);
    if (!options.success) {
      const [problem] = options.error.issues;
      return refuse(String(problem?.path.at(-1) ?? ""), problem?.message ?? issueMessages.failed);
    }
    const start = { options: options.data, timeZone, seen: typed.seen ?? "" };
    if (intent === "review") {
      requireWords(await getIssue(services.db.read, id));
      return data({ typed, problem: null, review: await reviewIssue(services, id, start) });
    }
    const { state, dueAt, welcomeDay } = await startIssue(services, id, start);
    const isLater = state === "scheduled" && dueAt !== null && dueAt > services.clock.now();
    return redirectWithToast(
      adminIssuePath(id),
      welcomeDay !== null
        ? issueToasts.series
        : isLater
          ? issueToasts.scheduled
          : issueToasts.sending,
    );
  } catch (error) {
    if (error instanceof Refused && error.code === "not_found") throw data(null, 404);
    const { toast } = failure(services, error, issueMessages.failed);
    if (intent === "test") return redirectWithToast(here, toast);
    return refuse("", toast.description ?? toast.title);
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function IssueSend({ loaderData, actionData }: Route.ComponentProps) {
  const { id, subject, checks, courses, email, readers, seen, zone } = loaderData;
  const answer = actionData && "typed" in actionData ? actionData : null;
  const here = `${adminIssuePath(id)}/send`;
  return (
    <AdminPage
      title="Check and send"
      lead={subject}
      above={[
        { href: adminNewsletterPath, label: "Newsletter" },
        { href: adminIssuePath(id), label: subject || "The issue" },
      ]}
    >
      <PageHead title={`${subject} - Send`} noindex />
      {answer?.review ? (
        <SendReviewForm review={answer.review} typed={answer.typed} />
      ) : (
        <>
          <section className="admin-part" aria-labelledby="checks">
            <h2 id="checks">To look at</h2>
            <IssueChecks checks={checks} path={here} />
            <TestForm address={email} />
          </section>
          <section className="admin-part" aria-labelledby="send">
            <h2 id="send">Send</h2>
            <SendForm
              key={JSON.stringify(answer?.problem)}
              {...{ seen, zone, courses, readers }}
              typed={answer?.typed ?? {}}
              problem={answer?.problem ?? null}
            />
          </section>
        </>
      )}
    </AdminPage>
  );
}
