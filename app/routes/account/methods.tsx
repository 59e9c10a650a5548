import { data, Form, redirect, redirectDocument, useNavigation } from "react-router";
import { requestPasswordReset } from "~/features/accounts/access/commands.server.ts";
import { refusalOf } from "~/features/accounts/arrival/texts.ts";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { unlinkIdentity } from "~/features/accounts/identities/commands.server.ts";
import { LinkedList } from "~/features/accounts/identities/components/linked-list.tsx";
import { ProviderButtons } from "~/features/accounts/identities/components/provider-buttons.tsx";
import { ShowOwner } from "~/features/accounts/identities/components/show-owner.tsx";
import { UnlinkDialog } from "~/features/accounts/identities/components/unlink-dialog.tsx";
import { findMethods } from "~/features/accounts/identities/queries.server.ts";
import { identityTexts, methodsPath, showOwnerPath } from "~/features/accounts/identities/texts.ts";
import { showOwner } from "~/features/accounts/owner/commands.server.ts";
import { isFresh, ownSession, proofOf } from "~/features/accounts/owner/queries.server.ts";
import { authPath } from "~/features/accounts/rules.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import {
  clientAddressContext,
  servicesOf,
  sessionContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/methods.ts";

/** What somebody who comes back from a provider is told; then the address is a plain one again. */
function newsOf(query: URLSearchParams, nameOf: (id: string | null) => string) {
  const linked = query.get("linked");
  if (linked) return { ...identityTexts.linked(nameOf(linked)), tone: "success" as const };
  const error = query.get("error");
  return error ? refusalOf(error, nameOf(query.get("with"))) : null;
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const { userId, sessionId, email } = ownSession(context, url);
  const query = new URL(request.url).searchParams;
  const nameOf = (wanted: string | null) =>
    services.config.providers.find((one) => one.id === wanted)?.name ?? "The provider";
  const news = newsOf(query, nameOf);
  if (news) throw redirectWithToast(methodsPath, news);
  const { passwordSince, linked, linkable } = await findMethods(services, userId);
  const inWords = (date: Date) => dateInWords(date, context.get(timeZoneContext));
  const leaving = linked.find((one) => one.id === query.get("unlink") && one.canGo);
  const isShowing = query.has("show") && !(await isFresh(services, sessionId));
  return {
    email,
    proof: isShowing ? await proofOf(services, { userId, sessionId }) : null,
    passwordSince: passwordSince && inWords(passwordSince),
    linked: linked.map((one) => ({ ...one, since: inWords(one.since) })),
    linkable,
    leaving: leaving ? { id: leaving.id, name: leaving.name } : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = servicesOf(context);
  const { viewer, session } = context.get(sessionContext);
  if (!viewer || !session) return redirectDocument(authPath(methodsPath));
  const fields = await formFields(request);
  const { intent, id = "" } = fields;
  if (intent === "show-owner") {
    const shown = { userId: viewer.id, sessionId: session.id, fields };
    const { problem, setCookies } = await showOwner(services, shown);
    if (problem !== null) return data({ complaint: { message: problem } }, 400);
    return redirectWithToast(methodsPath, { ...identityTexts.shown, tone: "success" }, setCookies);
  }
  if (intent === "unlink" && !(await isFresh(services, session.id))) return redirect(showOwnerPath);
  if (intent === "unlink") {
    const result = await unlinkIdentity(services, { userId: viewer.id, id });
    const tone = result === "unlinked" ? "success" : "default";
    return redirectWithToast(methodsPath, { ...identityTexts[result], tone });
  }
  if (intent !== "password") return redirect(methodsPath);
  const caller = callerOf(request, context.get(clientAddressContext));
  const wanted = { email: viewer.email, destination: methodsPath };
  const sent = await requestPasswordReset(services, caller, wanted);
  if (!sent.ok)
    return redirectWithToast(methodsPath, {
      title: identityTexts.noLetter,
      description: sent.problem,
      tone: "destructive",
    });
  return redirectWithToast(methodsPath, { ...identityTexts.letter(viewer.email), tone: "success" });
}

export default function Methods({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formData?.get("intent") === "show-owner";
  const { email, proof, passwordSince, linked, linkable, leaving } = loaderData;
  return (
    <AccountFrame>
      <PageHead title="Signing in" noindex />
      {proof && <ShowOwner proof={proof} complaint={actionData?.complaint} busy={busy} />}
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
          {linked.length > 0 && <LinkedList linked={linked} />}
          {linkable.length > 0 && (
            <div className="flex flex-wrap gap-3">
              <ProviderButtons providers={linkable} verb="Link" fields={{ intent: "link" }} />
            </div>
          )}
        </AccountPart>
      )}
      {leaving && <UnlinkDialog {...leaving} />}
    </AccountFrame>
  );
}
