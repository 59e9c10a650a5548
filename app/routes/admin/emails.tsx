import { data, useLocation, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { EmailList } from "~/features/email-log/components/email-list.tsx";
import { EmailProblemNotice, FailedTools } from "~/features/email-log/components/email-notices.tsx";
import { TestEmailButton, TestEmailResult } from "~/features/email-log/components/test-email.tsx";
import {
  findEmailProblems,
  findResendable,
  listEmails,
  removeAllEmails,
  removeEmail,
  resendAllEmails,
  resendEmail,
  tryNow,
} from "~/features/email-log/email-log.server.ts";
import {
  allQueued,
  allRemoved,
  emailLogLoadFailed,
  emailLogMessages,
  emailStates,
  testMessages,
} from "~/features/email-log/messages.ts";
import { sendTestEmail } from "~/features/email-log/test-email.server.ts";
import { suppressedPath } from "~/features/suppressions/messages.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, flash, redirectWithToast, type Toast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/emails.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { search, cursor } = readListParams(url, { newest: "desc" });
  const state = emailStates.find((name) => name === url.searchParams.get("state")) ?? null;
  const asked = { state, search };
  const timeZone = context.get(timeZoneContext);
  try {
    const [{ rows: lines, ...pages }, trouble, canSend] = await Promise.all([
      listEmails(services, { ...asked, cursor, limit: rowsAPage }, timeZone),
      findEmailProblems(services, timeZone),
      findResendable(services),
    ]);
    const toFiles = !services.config.smtpUrl;
    return { asked, loaded: { list: { ...pages, lines }, trouble, canSend, toFiles } };
  } catch (error) {
    services.log.error({ err: error }, emailLogLoadFailed);
    return { asked, loaded: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { id: adminId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent = "", id = "" } = await formFields(request);
  try {
    if (intent === "test") {
      const timeZone = context.get(timeZoneContext);
      return data({ test: await sendTestEmail(services, { adminId, timeZone }) });
    }
    const toast = await change(services, intent, id);
    return redirectWithToast(url.pathname + url.search, toast);
  } catch (error) {
    const fallback = intent === "test" ? testMessages.failed : emailLogMessages.failed;
    const { status, toast } = failure(services, error, fallback);
    return data(null, { status, headers: flash(request, context, toast) });
  }
}

const singles = new Map([
  ["again", resendEmail],
  ["now", tryNow],
  ["remove", removeEmail],
]);

async function change(services: Services, intent: string, id: string): Promise<Toast> {
  if (intent === "all-again") return allQueued(await resendAllEmails(services, "exhausted"));
  if (intent === "refused-again") return allQueued(await resendAllEmails(services, "refused"));
  if (intent === "remove-all") return allRemoved(await removeAllEmails(services));
  const single = singles.get(intent);
  if (!single) throw new Refused("invalid", emailLogMessages.failed);
  await single(services, id);
  return intent === "remove" ? emailLogMessages.removed : emailLogMessages.onItsWay;
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);

export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function MailPage({ loaderData, actionData }: Route.ComponentProps) {
  const { asked, loaded } = loaderData;
  const here = useLocation();
  const { formData } = useNavigation();
  const isFailed = asked.state === "failed" && loaded && loaded.list.lines.length > 0;
  const busyIntent = (formData?.get("intent") as string | null) ?? null;
  return (
    <AdminPage
      title="Email"
      lead="The emails that the site sends by itself."
      actions={
        <>
          {isFailed && <FailedTools canSend={loaded.canSend} busyIntent={busyIntent} />}
          <ButtonLink href={suppressedPath} variant="outline" size="sm">
            Addresses that get no email
          </ButtonLink>
          <TestEmailButton busy={busyIntent === "test"} />
        </>
      }
    >
      <PageHead title="Email" noindex />
      {actionData && "test" in actionData && (
        <TestEmailResult key={actionData.test.id} result={actionData.test} />
      )}
      {loaded ? (
        <>
          {loaded.trouble && <EmailProblemNotice trouble={loaded.trouble} />}
          <EmailList
            {...loaded.list}
            toFiles={loaded.toFiles}
            asked={asked}
            here={here}
            busyId={(formData?.get("id") as string | null) ?? null}
          />
        </>
      ) : (
        <LoadFailed message={emailLogLoadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
