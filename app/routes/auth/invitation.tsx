import { data, redirect, useNavigation } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { authPath } from "~/features/auth/rules.ts";
import { destinationAfterSignIn, signOut } from "~/features/auth/sign-in.server.ts";
import { acceptInvitation } from "~/features/enrollments/accept-invitation.server.ts";
import {
  InvalidInvitation,
  KnownAccountForm,
  NewAccountForm,
  OtherViewerForm,
} from "~/features/enrollments/components/accept-invitation.tsx";
import { findInvitation } from "~/features/enrollments/invitations.server.ts";
import {
  acceptInvitationMessages,
  invalidInvitationMessages,
  invalidInvitationStatuses,
} from "~/features/enrollments/messages.ts";
import { currentCaller, currentUser, servicesOf } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { statusOf } from "~/platform/utils/errors.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/invitation.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

export const headers = () => ({ "Cache-Control": "private, no-store" });

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const found = await findInvitation(servicesOf(context), tokenOf(url));
  const viewer = currentUser(context);
  if (found.state === "used" && viewer?.email === found.email)
    throw redirect(`/courses/${found.slug}/learn`);
  const slug = found.state === "used" ? found.slug : null;
  if (found.state !== "open")
    return data({ state: found.state, slug }, { status: invalidInvitationStatuses[found.state] });
  const { email, name, course, accountId } = found.invitation;
  const isViewer = viewer?.email === email;
  const other = viewer && !isViewer ? viewer.email : null;
  const hasAccount = accountId !== null;
  return data({ state: found.state, email, name, course, hasAccount, isViewer, other });
}

/** Only a POST accepts: programs that open every link of an email accept nothing. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const caller = currentCaller({ request, context });
  const fields = await formFields(request);
  if (fields.intent === "sign-out")
    return redirectWithToast(url.pathname + url.search, null, await signOut(services, caller));
  const asked = { token: tokenOf(url), viewer: currentUser(context), fields };
  const result = await acceptInvitation(services, caller, asked);
  // The loader's page says why nothing was done.
  if (!result) return null;
  if ("problem" in result) {
    const { title, message, field, code } = result.problem;
    const toast = { title, description: message, tone: "destructive" } as const;
    const answer = { fieldError: { field, message }, name: fields.name };
    return data(answer, { status: statusOf[code], headers: flash(request, context, toast) });
  }
  const { slug, isSignedIn, setCookies } = result.done;
  const lessons = `/courses/${slug}/learn`;
  if (!isSignedIn)
    return redirectWithToast(authPath(lessons), acceptInvitationMessages.enrolledSignIn);
  const { to } = await destinationAfterSignIn(services, setCookies, lessons);
  return redirectWithToast(to, acceptInvitationMessages.enrolled, setCookies);
}

export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (loaderData.state !== "open")
    return (
      <>
        <PageHead title={invalidInvitationMessages[loaderData.state].title} noindex />
        <InvalidInvitation state={loaderData.state} slug={loaderData.slug} />
      </>
    );
  const { email, name, course, hasAccount, isViewer, other } = loaderData;
  const common = { email, busy };
  return (
    <AuthPage title="You are invited" subtitle={`This invitation opens “${course}” for you.`}>
      <PageHead title="Your invitation" noindex />
      {other ? (
        <OtherViewerForm {...common} viewer={other} />
      ) : hasAccount ? (
        <KnownAccountForm {...common} isViewer={isViewer} />
      ) : (
        <NewAccountForm
          {...common}
          fieldError={actionData?.fieldError ?? null}
          name={actionData?.name ?? name ?? undefined}
        />
      )}
    </AuthPage>
  );
}
