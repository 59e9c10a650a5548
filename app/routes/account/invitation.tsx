import { data, redirect, useNavigation } from "react-router";
import { signOut } from "~/features/accounts/access/commands.server.ts";
import { destinationAfterSignIn } from "~/features/accounts/access/queries.server.ts";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { authPath } from "~/features/accounts/rules.ts";
import { accept } from "~/features/enrollments/acceptance/commands.server.ts";
import {
  KnownAccountForm,
  NewAccountForm,
  OtherViewerForm,
} from "~/features/enrollments/acceptance/components/acceptance-form.tsx";
import { DeadInvitation } from "~/features/enrollments/acceptance/components/dead-invitation.tsx";
import { findInvitation } from "~/features/enrollments/acceptance/queries.server.ts";
import {
  deadInvitations,
  deadStatuses,
  messages,
} from "~/features/enrollments/acceptance/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf, viewerOf } from "~/platform/http/context.ts";
import { statusOf } from "~/platform/http/errors.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Route } from "./+types/invitation.ts";

export const handle = { hydrate: true };

/** The page is one person's, and its address is a key. */
const headersOfPage = { "Cache-Control": "private, no-store" };
export const headers: Route.HeadersFunction = () => headersOfPage;

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const found = await findInvitation(servicesOf(context), tokenOf(url));
  const viewer = viewerOf(context);
  if (found.state === "used" && viewer?.email === found.email)
    throw redirect(`/courses/${found.slug}/learn`);
  const slug = found.state === "used" ? found.slug : null;
  if (found.state !== "open")
    return data({ state: found.state, slug }, { status: deadStatuses[found.state] });
  const { email, name, course, hasAccount } = found.invitation;
  const isViewer = viewer?.email === email;
  const other = viewer && !isViewer ? viewer.email : null;
  return data({ state: found.state, email, name, course, hasAccount, isViewer, other });
}

/** Only a press accepts: programs that open every link of a letter accept nothing. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const caller = callerOf(request, context.get(clientAddressContext));
  const fields = await formFields(request);
  if (fields.intent === "sign-out")
    return redirectWithToast(url.pathname + url.search, null, await signOut(services, caller));
  const asked = { token: tokenOf(url), viewer: viewerOf(context), fields };
  const result = await accept(services, caller, asked);
  // The page of the loader says why nothing was done.
  if (!result) return null;
  if ("problem" in result) {
    const { title, message, field, code } = result.problem;
    const toast = { title, description: message, tone: "destructive" } as const;
    const answer = { complaint: { field, message }, name: fields.name };
    return data(answer, { status: statusOf[code], headers: flash(request, context, toast) });
  }
  const { slug, isSignedIn, setCookies } = result.done;
  const lessons = `/courses/${slug}/learn`;
  if (!isSignedIn) return redirectWithToast(authPath(lessons), messages.enrolledSignIn);
  const { to } = await destinationAfterSignIn(services, setCookies, lessons);
  return redirectWithToast(to, messages.enrolled, setCookies);
}

export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (loaderData.state !== "open")
    return (
      <>
        <PageHead title={deadInvitations[loaderData.state].title} noindex />
        <DeadInvitation state={loaderData.state} slug={loaderData.slug} />
      </>
    );
  const { email, name, course, hasAccount, isViewer, other } = loaderData;
  const common = { email, busy };
  return (
    <Entry title="You are invited" subtitle={`A place in “${course}” is kept for you.`}>
      <PageHead title="Your invitation" noindex />
      {other ? (
        <OtherViewerForm {...common} viewer={other} />
      ) : hasAccount ? (
        <KnownAccountForm {...common} isViewer={isViewer} />
      ) : (
        <NewAccountForm
          {...common}
          complaint={actionData?.complaint ?? null}
          name={actionData?.name ?? name ?? undefined}
        />
      )}
    </Entry>
  );
}
