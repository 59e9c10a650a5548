import { data } from "react-router";
import { AccountFrame } from "~/features/accounts/components/account-frame.tsx";
import { SecurityParts } from "~/features/accounts/factors/components/security-parts.tsx";
import { messages, securityPath } from "~/features/accounts/factors/texts.ts";
import { showOwner } from "~/features/accounts/owner/commands.server.ts";
import { ownSession } from "~/features/accounts/owner/queries.server.ts";
import { addNamedPasskey } from "~/features/accounts/passkeys/commands.server.ts";
import { safeDestination } from "~/features/accounts/rules.ts";
import { getSecurity } from "~/features/accounts/security/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, sessionContext, timeZoneContext } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Route } from "./+types/overview.ts";

export const handle = { hydrate: true };

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = { ...ownSession(context, url), timeZone: context.get(timeZoneContext) };
  const { lacksFactor } = context.get(sessionContext);
  return { ...(await getSecurity(servicesOf(context), asked)), lacksFactor };
}

/** The two forms of adding a passkey, which the page sends by itself. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const fields = await formFields(request);
  const asked = { ...ownSession(context, url), fields, headers: request.headers };
  const isOwner = fields.intent === "show-owner";
  const { setCookies, ...answer } = await (isOwner ? showOwner : addNamedPasskey)(services, asked);
  const headers = new Headers(setCookies.map((cookie) => ["Set-Cookie", cookie]));
  const isAdded = !isOwner && !answer.problem && !answer.owner;
  const way = url.searchParams.get("redirect");
  // Whoever was asked at sign-in goes on to where they wanted to.
  if (isAdded && way) {
    const to = safeDestination(way, securityPath);
    return asDocument(redirectWithToast(to, messages.passkeyAdded, setCookies));
  }
  if (isAdded)
    for (const [name, value] of new Headers(flash(request, context, messages.passkeyAdded)))
      headers.append(name, value);
  return data(answer, { status: answer.problem ? 400 : 200, headers });
}

/** Also after a refusal: what the page says has changed since it was opened. */
export const shouldRevalidate = () => true;

export default function Security({ loaderData }: Route.ComponentProps) {
  return (
    <AccountFrame>
      <PageHead title="Security" noindex />
      <SecurityParts {...loaderData} />
    </AccountFrame>
  );
}
