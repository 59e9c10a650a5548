import { data, Form, redirect, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import { NewBackupCodes } from "~/features/auth/components/backup-codes.tsx";
import { ReauthenticationFields } from "~/features/auth/components/reauthentication.tsx";
import { securityPath } from "~/features/auth/messages.ts";
import {
  getReauthenticationMethods,
  reauthenticate,
  requireSession,
} from "~/features/auth/reauthentication.server.ts";
import { shownCode } from "~/features/auth/rules.ts";
import {
  countAuthenticatorApps,
  regenerateBackupCodes,
} from "~/features/auth/two-factor.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/security-codes.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const own = requireSession(context, url);
  if ((await countAuthenticatorApps(services.db.write, own.userId)) === 0)
    throw redirect(securityPath);
  return { proof: await getReauthenticationMethods(services, own), email: own.email };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const own = requireSession(context, url);
  const fieldError = await reauthenticate(services, { ...own, fields: await formFields(request) });
  if (fieldError) return data({ fieldError, codes: null }, 400);
  const codes = await regenerateBackupCodes(services, own.userId);
  return { fieldError: null, codes: codes?.map(shownCode) ?? null };
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function Codes({ loaderData, actionData }: Route.ComponentProps) {
  const { proof, email } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  return (
    <AccountFrame>
      <PageHead title="Backup codes" noindex />
      {actionData?.codes ? (
        <NewBackupCodes codes={actionData.codes} email={email} />
      ) : (
        <AccountPart
          id="make-codes"
          title="Make new backup codes"
          lead="You get ten new ones. The ones that you have now will not work any more."
        >
          <Form method="post" noValidate className="grid max-w-[22rem] gap-5">
            <ReauthenticationFields proof={proof} fieldError={actionData?.fieldError} />
            {proof !== "sign-in" && (
              <div className="flex flex-wrap items-center gap-5">
                <Button type="submit" busy={busy} busyLabel="One moment...">
                  Make new codes
                </Button>
                <a href={securityPath}>Cancel</a>
              </div>
            )}
          </Form>
        </AccountPart>
      )}
    </AccountFrame>
  );
}
