import { data, redirect, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import { AppNameForm, AppSetupForm } from "~/features/auth/components/authenticator-app.tsx";
import { NewBackupCodes } from "~/features/auth/components/backup-codes.tsx";
import { addAppPath, securityPath, twoFactorMessages } from "~/features/auth/messages.ts";
import {
  getReauthenticationMethods,
  requireSession,
} from "~/features/auth/reauthentication.server.ts";
import { safeDestination } from "~/features/auth/rules.ts";
import { countAuthenticatorApps, findAppSetup } from "~/features/auth/two-factor.server.ts";
import { submitAppSetup } from "~/features/auth/two-factor-setup.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/security-app.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

const nextOf = (url: URL) => safeDestination(url.searchParams.get("redirect"), securityPath);

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const own = requireSession(context, url);
  const id = url.searchParams.get("app");
  const setup =
    id && (await findAppSetup(services, { ...own, id, issuer: services.content.site.name }));
  const isFirst = (await countAuthenticatorApps(services.db.write, own.userId)) === 0;
  const proof = await getReauthenticationMethods(services, own);
  return { setup: setup || null, proof, isFirst, email: own.email, next: nextOf(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = await formFields(request);
  const asked = { ...requireSession(context, url), id: url.searchParams.get("app"), fields };
  const result = await submitAppSetup(servicesOf(context), asked);
  if ("begun" in result) {
    const query = new URLSearchParams(url.searchParams);
    query.set("app", result.begun);
    return redirect(`${addAppPath}?${query}`, 303);
  }
  if ("added" in result)
    return result.added.codes
      ? data(
          { codes: result.added.codes, fieldError: null, name: null },
          { headers: result.added.setCookies.map((cookie) => ["Set-Cookie", cookie]) },
        )
      : redirectWithToast(nextOf(url), twoFactorMessages.appAdded, result.added.setCookies);
  return data({ codes: null, fieldError: result, name: fields.name ?? null }, 400);
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function AddApp({ loaderData, actionData }: Route.ComponentProps) {
  const { setup, proof, isFirst, email, next } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const fieldError = actionData?.fieldError ?? null;
  if (actionData?.codes)
    return (
      <AccountFrame>
        <PageHead title="Your backup codes" noindex />
        <NewBackupCodes codes={actionData.codes} email={email} isAppNew next={next} />
      </AccountFrame>
    );
  return (
    <AccountFrame>
      <PageHead title="Add an authenticator app" noindex />
      <AccountPart
        id="add-app"
        title={setup ? `Set up “${setup.name}”` : "Add an authenticator app"}
        lead={
          isFirst
            ? "From then on, signing in with your password asks for a code as well. On this device you stay signed in; everywhere else you are signed out."
            : undefined
        }
      >
        {setup ? (
          <AppSetupForm setup={setup} fieldError={fieldError} busy={busy} />
        ) : (
          <AppNameForm
            proof={proof}
            fieldError={fieldError}
            name={actionData?.name ?? null}
            busy={busy}
          />
        )}
      </AccountPart>
    </AccountFrame>
  );
}
