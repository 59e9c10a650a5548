import { data, Form, redirect, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import { ReauthenticationFields } from "~/features/auth/components/reauthentication.tsx";
import { securityMethodKinds, securityPath, twoFactorMessages } from "~/features/auth/messages.ts";
import { removePasskey } from "~/features/auth/passkeys.server.ts";
import {
  getReauthenticationMethods,
  reauthenticate,
  requireSession,
} from "~/features/auth/reauthentication.server.ts";
import { findSecurityMethod } from "~/features/auth/security-settings.server.ts";
import { removeAuthenticatorApp } from "~/features/auth/two-factor.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/security-remove.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

async function asked({ context, url }: Pick<Route.LoaderArgs, "context" | "url">) {
  const own = requireSession(context, url);
  const query = url.searchParams;
  const way = await findSecurityMethod(servicesOf(context), { userId: own.userId, query });
  if (!way) throw redirect(securityPath);
  return { own, way };
}

export async function loader(args: Route.LoaderArgs) {
  const { own, way } = await asked(args);
  const { kind, name, isLast } = way;
  return {
    kind,
    name,
    isLast,
    proof: await getReauthenticationMethods(servicesOf(args.context), own),
  };
}

export async function action(args: Route.ActionArgs) {
  const services = servicesOf(args.context);
  const { own, way } = await asked(args);
  const fields = await formFields(args.request);
  const fieldError = await reauthenticate(services, { ...own, fields });
  if (fieldError) return data({ fieldError, problem: null }, 400);
  const gone = { userId: own.userId, id: way.id };
  const problem =
    way.kind === "app"
      ? await removeAuthenticatorApp(services, gone)
      : await removePasskey(services, gone);
  if (problem) return data({ fieldError: null, problem }, 409);
  return redirectWithToast(securityPath, twoFactorMessages.removed);
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function Remove({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, name, isLast, proof } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const { noun, gone, goneLast } = securityMethodKinds[kind];
  return (
    <AccountFrame>
      <PageHead title={`Remove this ${noun}`} noindex />
      <AccountPart id="remove" title={`Remove “${name}”?`} lead={isLast ? goneLast : gone}>
        {actionData?.problem && (
          <Notice tone="destructive" live>
            {actionData.problem}
          </Notice>
        )}
        <Form method="post" noValidate className="grid max-w-[22rem] gap-5">
          <ReauthenticationFields proof={proof} fieldError={actionData?.fieldError} />
          <div className="flex flex-wrap items-center gap-5">
            {proof !== "sign-in" && (
              <Button type="submit" variant="destructive" busy={busy} busyLabel="Removing...">
                Remove this {noun}
              </Button>
            )}
            <a href={securityPath}>Cancel</a>
          </div>
        </Form>
      </AccountPart>
    </AccountFrame>
  );
}
