import { data, Form, redirect, redirectDocument, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import { LinkedAccountList, UnlinkDialog } from "~/features/auth/components/linked-accounts.tsx";
import { ProviderButtons } from "~/features/auth/components/provider-buttons.tsx";
import { ReauthenticationForm } from "~/features/auth/components/reauthentication.tsx";
import { getSignInMethods, unlinkAccount } from "~/features/auth/linked-accounts.server.ts";
import {
  linkedAccountMessages,
  providerErrorMessage,
  reauthenticatePath,
  signInMethodsPath,
} from "~/features/auth/messages.ts";
import {
  getReauthenticationMethods,
  isRecentlyAuthenticated,
  requireSession,
  submitReauthentication,
} from "~/features/auth/reauthentication.server.ts";
import { authPath } from "~/features/auth/rules.ts";
import { requestPasswordReset } from "~/features/auth/sign-in.server.ts";
import {
  currentCaller,
  servicesOf,
  sessionContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { dateInWords, namedUtc } from "~/platform/time/words.ts";
import { Button } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/sign-in-methods.ts";

function newsOf(query: URLSearchParams, nameOf: (id: string | null) => string) {
  const linked = query.get("linked");
  if (linked) return { ...linkedAccountMessages.linked(nameOf(linked)), tone: "success" as const };
  const error = query.get("error");
  return error ? providerErrorMessage(error, nameOf(query.get("with"))) : null;
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const { userId, sessionId, email } = requireSession(context, url);
  const query = new URL(request.url).searchParams;
  const nameOf = (wanted: string | null) =>
    services.config.providers.find((one) => one.id === wanted)?.name ?? "The provider";
  const news = newsOf(query, nameOf);
  if (news) throw redirectWithToast(signInMethodsPath, news);
  const { passwordSince, linked, linkable } = await getSignInMethods(services, userId);
  const timeZone = context.get(timeZoneContext);
  const inWords = (date: Date) => namedUtc(dateInWords(date, timeZone), timeZone);
  const toUnlink = linked.find((one) => one.id === query.get("unlink") && one.canGo);
  const isShowing = query.has("show") && !(await isRecentlyAuthenticated(services, sessionId));
  return {
    email,
    proof: isShowing ? await getReauthenticationMethods(services, { userId, sessionId }) : null,
    passwordSince: passwordSince && inWords(passwordSince),
    linked: linked.map((one) => ({ ...one, since: inWords(one.since) })),
    linkable,
    toUnlink: toUnlink ? { id: toUnlink.id, name: toUnlink.name } : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = servicesOf(context);
  const { viewer, session } = context.get(sessionContext);
  if (!viewer || !session) return redirectDocument(authPath(signInMethodsPath));
  const fields = await formFields(request);
  const { intent, id = "" } = fields;
  if (intent === "show-owner") {
    const shown = { userId: viewer.id, sessionId: session.id, fields };
    const { problem, setCookies } = await submitReauthentication(services, shown);
    if (problem !== null) return data({ fieldError: { message: problem } }, 400);
    return redirectWithToast(
      signInMethodsPath,
      { ...linkedAccountMessages.shown, tone: "success" },
      setCookies,
    );
  }
  if (intent === "unlink" && !(await isRecentlyAuthenticated(services, session.id)))
    return redirect(reauthenticatePath);
  if (intent === "unlink") {
    const result = await unlinkAccount(services, { userId: viewer.id, id });
    const tone = result === "unlinked" ? "success" : "default";
    return redirectWithToast(signInMethodsPath, { ...linkedAccountMessages[result], tone });
  }
  if (intent !== "password") return redirect(signInMethodsPath);
  const caller = currentCaller({ request, context });
  const wanted = { email: viewer.email, destination: signInMethodsPath };
  const sent = await requestPasswordReset(services, caller, wanted);
  if (!sent.ok)
    return redirectWithToast(signInMethodsPath, {
      title: linkedAccountMessages.noEmail,
      description: sent.problem,
      tone: "destructive",
    });
  return redirectWithToast(signInMethodsPath, {
    ...linkedAccountMessages.linkSent(viewer.email),
    tone: "success",
  });
}

export default function Methods({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formData?.get("intent") === "show-owner";
  const { email, proof, passwordSince, linked, linkable, toUnlink } = loaderData;
  return (
    <AccountFrame>
      <PageHead title="Signing in" noindex />
      {proof && (
        <ReauthenticationForm proof={proof} fieldError={actionData?.fieldError} busy={busy} />
      )}
      <AccountPart
        id="password"
        title="Password"
        lead={
          passwordSince
            ? `You have had one since ${passwordSince}.`
            : "You have none, and sign in without one."
        }
      >
        <Form method="post">
          <input type="hidden" name="intent" value="password" />
          <Button type="submit" variant="outline">
            {passwordSince ? "Choose a new password" : "Set a password"}
          </Button>
        </Form>
        <p className="text-sm text-ink-soft">
          {`A link to choose it goes to ${email}. Afterwards you are signed out everywhere, and can sign in with it.`}
        </p>
      </AccountPart>
      {(linked.length > 0 || linkable.length > 0) && (
        <AccountPart
          id="providers"
          title="Other ways to sign in"
          lead={linked.length > 0 ? undefined : "None so far."}
        >
          {linked.length > 0 && <LinkedAccountList linked={linked} />}
          {linkable.length > 0 && (
            <div className="flex flex-wrap gap-3">
              <ProviderButtons providers={linkable} verb="Link" fields={{ intent: "link" }} />
            </div>
          )}
        </AccountPart>
      )}
      {toUnlink && <UnlinkDialog {...toUnlink} />}
    </AccountFrame>
  );
}
