import { data, redirectDocument, useNavigation } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { TwoFactorForm } from "~/features/auth/components/two-factor-form.tsx";
import { twoFactorPath } from "~/features/auth/messages.ts";
import { authPath, safeDestination } from "~/features/auth/rules.ts";
import { signOut } from "~/features/auth/sign-in.server.ts";
import {
  getPendingTwoFactor,
  submitTwoFactorForm,
} from "~/features/auth/two-factor-sign-in.server.ts";
import { currentCaller, servicesOf, sessionContext } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/two-factor.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

const destinationOf = (url: URL) => safeDestination(url.searchParams.get("redirect"));

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const destination = destinationOf(url);
  const reading = context.get(sessionContext);
  if (reading.viewer) throw redirectDocument(destination);
  const step = await getPendingTwoFactor(servicesOf(context), reading, request.headers);
  if ("over" in step) throw redirectWithToast(authPath(destination), step.over);
  return { ...step, destination, withBackupCode: url.searchParams.get("with") === "recovery" };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const destination = destinationOf(url);
  const caller = currentCaller({ request, context });
  const fields = await formFields(request);
  if (fields.intent === "sign-out")
    return redirectWithToast(authPath(destination), null, await signOut(services, caller));
  const { pending, session, viewer } = context.get(sessionContext);
  if (viewer) throw redirectDocument(destination);
  const step = { userId: pending?.id ?? "", sessionId: session?.id ?? "", fields };
  const result = await submitTwoFactorForm(services, caller, step);
  if ("over" in result) return redirectWithToast(authPath(destination), result.over);
  if ("signedIn" in result)
    return asDocument(redirectWithToast(destination, result.toast, result.signedIn));
  const { toast, problem } = result;
  const headers = toast ? flash(request, context, toast) : {};
  const fieldError = problem === null ? null : { message: problem };
  return data({ fieldError }, { status: 400, headers });
}

export default function SecondStep({ loaderData, actionData }: Route.ComponentProps) {
  const { destination, email, hasApps, hasPasskeys, withBackupCode } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const here = authPath(destination, twoFactorPath);
  return (
    <AuthPage
      title="One more step"
      subtitle={
        !hasApps
          ? "Your passkey is asked for as well."
          : withBackupCode
            ? "Type one of your backup codes."
            : "Type the code that your authenticator app shows."
      }
    >
      <PageHead title="One more step" noindex />
      <TwoFactorForm
        email={email}
        here={here}
        ways={{ hasApps, hasPasskeys, withBackupCode }}
        fieldError={actionData?.fieldError ?? null}
        busy={busy}
      />
    </AuthPage>
  );
}
