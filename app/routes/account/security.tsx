import { data } from "react-router";
import { AccountFrame } from "~/features/auth/components/account-frame.tsx";
import { SecurityParts } from "~/features/auth/components/security-parts.tsx";
import { securityPath, twoFactorMessages } from "~/features/auth/messages.ts";
import { addNamedPasskey } from "~/features/auth/passkeys.server.ts";
import { requireSession, submitReauthentication } from "~/features/auth/reauthentication.server.ts";
import { safeDestination } from "~/features/auth/rules.ts";
import { getSecuritySettings } from "~/features/auth/security-settings.server.ts";
import { servicesOf, sessionContext, timeZoneContext } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/security.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = { ...requireSession(context, url), timeZone: context.get(timeZoneContext) };
  const { lacksFactor } = context.get(sessionContext);
  return { ...(await getSecuritySettings(servicesOf(context), asked)), lacksFactor };
}

/** The two forms of adding a passkey, which the page submits by itself. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const fields = await formFields(request);
  const asked = { ...requireSession(context, url), fields, headers: request.headers };
  const isOwner = fields.intent === "show-owner";
  const { setCookies, ...answer } = await (isOwner ? submitReauthentication : addNamedPasskey)(
    services,
    asked,
  );
  const headers = new Headers(setCookies.map((cookie) => ["Set-Cookie", cookie]));
  const isAdded = !isOwner && !answer.problem && !answer.owner;
  const way = url.searchParams.get("redirect");
  // A user who was asked for this at sign-in continues to the original destination.
  if (isAdded && way) {
    const to = safeDestination(way, securityPath);
    return asDocument(redirectWithToast(to, twoFactorMessages.passkeyAdded, setCookies));
  }
  if (isAdded)
    for (const [name, value] of new Headers(
      flash(request, context, twoFactorMessages.passkeyAdded),
    ))
      headers.append(name, value);
  return data(answer, { status: answer.problem ? 400 : 200, headers });
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function Security({ loaderData }: Route.ComponentProps) {
  return (
    <AccountFrame>
      <PageHead title="Security" noindex />
      <SecurityParts {...loaderData} />
    </AccountFrame>
  );
}
