import { data, redirect, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { AppNameForm } from "~/features/accounts/factors/components/app-name-form.tsx";
import { AppSetupForm } from "~/features/accounts/factors/components/app-setup.tsx";
import { NewCodes } from "~/features/accounts/factors/components/new-codes.tsx";
import { countApps, findSetup } from "~/features/accounts/factors/queries.server.ts";
import { addAppPath, messages, securityPath } from "~/features/accounts/factors/texts.ts";
import { ownSession, proofOf } from "~/features/accounts/owner/queries.server.ts";
import { safeDestination } from "~/features/accounts/rules.ts";
import { setUpApp } from "~/features/accounts/setup/commands.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { site } from "~content/site.ts";
import type { Route } from "./+types/app.ts";

export const handle = { hydrate: true };

/** Whoever was asked at sign-in goes on to where they wanted to. */
const nextOf = (url: URL) => safeDestination(url.searchParams.get("redirect"), securityPath);

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const own = ownSession(context, url);
  const id = url.searchParams.get("app");
  const setup = id && (await findSetup(services, { ...own, id, issuer: site.name }));
  const isFirst = (await countApps(services.db.write, own.userId)) === 0;
  const proof = await proofOf(services, own);
  return { setup: setup || null, proof, isFirst, email: own.email, next: nextOf(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = await formFields(request);
  const asked = { ...ownSession(context, url), id: url.searchParams.get("app"), fields };
  const result = await setUpApp(servicesOf(context), asked);
  if ("begun" in result) {
    const query = new URLSearchParams(url.searchParams);
    query.set("app", result.begun);
    return redirect(`${addAppPath}?${query}`, 303);
  }
  if ("added" in result)
    return result.added.codes
      ? data(
          { codes: result.added.codes, complaint: null, name: null },
          { headers: result.added.setCookies.map((cookie) => ["Set-Cookie", cookie]) },
        )
      : redirectWithToast(nextOf(url), messages.appAdded, result.added.setCookies);
  return data({ codes: null, complaint: result, name: fields.name ?? null }, 400);
}

/** Also after a refusal: what the page says has changed since it was opened. */
export const shouldRevalidate = () => true;

export default function AddApp({ loaderData, actionData }: Route.ComponentProps) {
  const { setup, proof, isFirst, email, next } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const complaint = actionData?.complaint ?? null;
  if (actionData?.codes)
    return (
      <AccountFrame>
        <PageHead title="Your recovery codes" noindex />
        <NewCodes codes={actionData.codes} email={email} isAppNew next={next} />
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
          <AppSetupForm setup={setup} complaint={complaint} busy={busy} />
        ) : (
          <AppNameForm
            proof={proof}
            complaint={complaint}
            name={actionData?.name ?? null}
            busy={busy}
          />
        )}
      </AccountPart>
    </AccountFrame>
  );
}
