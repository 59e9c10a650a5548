import { data, useLocation, useNavigation } from "react-router";
import {
  acceptAdminInvitation,
  findAdminInvitation,
} from "~/features/accounts/admin-invitations.server.ts";
import { AcceptAdminInvitation } from "~/features/accounts/components/administrators.tsx";
import { administratorMessages } from "~/features/accounts/messages.ts";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { authPath } from "~/features/auth/rules.ts";
import { signOut } from "~/features/auth/sign-in.server.ts";
import { findProfile } from "~/features/auth/users.server.ts";
import { currentCaller, currentUser, servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/admin-invitation.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

export const headers = () => ({ "Cache-Control": "private, no-store" });

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

/** Reads only: mail programs open links, too. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const found = await findAdminInvitation(services, tokenOf(url));
  if (!found) return data({ invitation: null }, 404);
  const { email } = found;
  const viewer = currentUser(context);
  const hasAccount = viewer || (await findProfile(services, email))?.emailVerified;
  const who = !viewer
    ? hasAccount
      ? ("account" as const)
      : ("new" as const)
    : viewer.email === email
      ? ("viewer" as const)
      : ("other" as const);
  return data({ invitation: { email, who, viewer: viewer?.email ?? null } });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const caller = currentCaller({ request, context });
  const fields = await formFields(request);
  if (fields.intent === "sign-out")
    return redirectWithToast(url.pathname + url.search, null, await signOut(services, caller));
  const asked = { token: tokenOf(url), viewer: currentUser(context), fields };
  const result = await acceptAdminInvitation(services, caller, asked);
  // The loader's page says why nothing was done.
  if (!result) return null;
  if ("fieldError" in result) return data({ ...result, name: fields.name }, 400);
  const to = result.isSignedIn ? "/admin" : authPath("/admin");
  return redirectWithToast(to, administratorMessages.accepted, result.setCookies);
}

export default function AdminInvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const busy = useNavigation().formAction !== undefined;
  const { invitation } = loaderData;
  if (!invitation)
    return (
      <AuthPage
        title="This invitation does not work"
        subtitle="It was used or withdrawn, or its three days are over. Ask for another one."
        news
      >
        <PageHead title="This invitation does not work" noindex />
      </AuthPage>
    );
  return (
    <>
      <PageHead title="Your invitation to the admin area" noindex />
      <AcceptAdminInvitation
        {...invitation}
        here={pathname + search}
        fieldError={actionData?.fieldError ?? null}
        name={actionData?.name}
        busy={busy}
      />
    </>
  );
}
