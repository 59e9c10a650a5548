import { formErrorResponse } from "~/features/accounts/settings.server.ts";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import {
  EmailChangeForm,
  PendingEmailChangeNotice,
} from "~/features/auth/components/email-change.tsx";
import {
  cancelEmailChange,
  findPendingEmailChange,
  requestEmailChange,
} from "~/features/auth/email-change.server.ts";
import { accountPath, emailChangeMessages, emailChangePath } from "~/features/auth/messages.ts";
import {
  getReauthenticationMethods,
  requireSession,
} from "~/features/auth/reauthentication.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/email.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const own = requireSession(context, url);
  const services = servicesOf(context);
  const timeZone = context.get(timeZoneContext);
  const [wish, proof] = await Promise.all([
    findPendingEmailChange(services, { ...own, timeZone }),
    getReauthenticationMethods(services, own),
  ]);
  return { email: own.email, wish, proof };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const own = requireSession(context, url);
  const services = servicesOf(context);
  const fields = await formFields(request);
  const { intent, email } = fields;
  if (intent === "cancel") {
    await cancelEmailChange(services, own.userId);
    return redirectWithToast(accountPath, emailChangeMessages.cancelled);
  }
  const fieldError = await requestEmailChange(services, { ...own, fields });
  if (fieldError) return formErrorResponse({ request, context }, fieldError, { email });
  return redirectWithToast(emailChangePath, emailChangeMessages.asked);
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function Email({ loaderData, actionData }: Route.ComponentProps) {
  const { email, wish, proof } = loaderData;
  const fieldError = actionData?.fieldError ?? null;
  return (
    <AccountFrame>
      <PageHead title="Your email address" noindex />
      <AccountPart
        id="email"
        title="Your email address"
        lead={
          <>
            You sign in with <strong className="font-medium text-ink">{email}</strong>.
          </>
        }
      >
        {wish && !fieldError ? (
          <PendingEmailChangeNotice email={email} wish={wish} />
        ) : (
          <EmailChangeForm fieldError={fieldError} typed={actionData?.typed.email} proof={proof} />
        )}
      </AccountPart>
    </AccountFrame>
  );
}
