import {
  DeleteAccountForm,
  DeletionExplanation,
} from "~/features/accounts/components/account-deletion.tsx";
import { submitDeletionForm } from "~/features/accounts/deletion.server.ts";
import { deletionMessages } from "~/features/accounts/messages.ts";
import { formErrorResponse } from "~/features/accounts/settings.server.ts";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import {
  getReauthenticationMethods,
  requireSession,
} from "~/features/auth/reauthentication.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { asDocument, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/delete.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const own = requireSession(context, url);
  return { proof: await getReauthenticationMethods(servicesOf(context), own) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const own = { ...requireSession(context, url), timeZone: context.get(timeZoneContext) };
  const done = await submitDeletionForm(servicesOf(context), own, await formFields(request));
  if ("fieldError" in done) return formErrorResponse({ request, context }, done.fieldError, {});
  return asDocument(redirectWithToast("/", deletionMessages.scheduled(done.day)));
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function Delete({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AccountFrame>
      <PageHead title="Delete your account" noindex />
      <AccountPart id="delete" title="Delete your account">
        <DeletionExplanation />
        <DeleteAccountForm fieldError={actionData?.fieldError ?? null} proof={loaderData.proof} />
      </AccountPart>
    </AccountFrame>
  );
}
