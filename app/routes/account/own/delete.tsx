import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { askFromForm } from "~/features/accounts/leaving/commands.server.ts";
import { DeleteForm } from "~/features/accounts/leaving/components/delete-form.tsx";
import { WhatGoes } from "~/features/accounts/leaving/components/what-goes.tsx";
import { leavingWords } from "~/features/accounts/leaving/texts.ts";
import { ownSession, proofOf } from "~/features/accounts/owner/queries.server.ts";
import { complain } from "~/features/accounts/settings/commands.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { asDocument, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Route } from "./+types/delete.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer, sessionId } = ownSession(context, url);
  const own = { userId: viewer.id, sessionId };
  return { proof: await proofOf(servicesOf(context), own) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer, sessionId } = ownSession(context, url);
  const own = { userId: viewer.id, sessionId };
  const complaint = await askFromForm(servicesOf(context), own, await formFields(request));
  if (complaint) return complain({ request, context }, complaint, {});
  return asDocument(redirectWithToast("/", leavingWords.asked));
}

/** Also after a refusal: what the page says has changed since it was opened. */
export const shouldRevalidate = () => true;

export default function Delete({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AccountFrame>
      <PageHead title="Delete your account" noindex />
      <AccountPart id="delete" title="Delete your account">
        <WhatGoes />
        <DeleteForm complaint={actionData?.complaint ?? null} proof={loaderData.proof} />
      </AccountPart>
    </AccountFrame>
  );
}
