import { data, redirectDocument, useNavigation } from "react-router";
import { signOut } from "~/features/accounts/access/commands.server.ts";
import { enterFurther } from "~/features/accounts/challenge/commands.server.ts";
import { pendingStep } from "~/features/accounts/challenge/queries.server.ts";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { SecondStepForm } from "~/features/accounts/factors/components/second-step-form.tsx";
import { secondStepPath } from "~/features/accounts/factors/texts.ts";
import { authPath, safeDestination } from "~/features/accounts/rules.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf, sessionContext } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Route } from "./+types/second-step.ts";

export const handle = { hydrate: true };

const destinationOf = (url: URL) => safeDestination(url.searchParams.get("redirect"));

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const destination = destinationOf(url);
  const reading = context.get(sessionContext);
  if (reading.viewer) throw redirectDocument(destination);
  const step = await pendingStep(servicesOf(context), reading, request.headers);
  if ("over" in step) throw redirectWithToast(authPath(destination), step.over);
  return { ...step, destination, withRecovery: url.searchParams.get("with") === "recovery" };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const destination = destinationOf(url);
  const caller = callerOf(request, context.get(clientAddressContext));
  const fields = await formFields(request);
  if (fields.intent === "sign-out")
    return redirectWithToast(authPath(destination), null, await signOut(services, caller));
  const { pending, session, viewer } = context.get(sessionContext);
  if (viewer) throw redirectDocument(destination);
  const step = { userId: pending?.id ?? "", sessionId: session?.id ?? "", fields };
  const result = await enterFurther(services, caller, step);
  if ("over" in result) return redirectWithToast(authPath(destination), result.over);
  if ("signedIn" in result)
    return asDocument(redirectWithToast(destination, result.toast, result.signedIn));
  const { toast, problem } = result;
  const headers = toast ? flash(request, context, toast) : {};
  const complaint = problem === null ? null : { message: problem };
  return data({ complaint }, { status: 400, headers });
}

export default function SecondStep({ loaderData, actionData }: Route.ComponentProps) {
  const { destination, email, hasApps, hasPasskeys, withRecovery } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const here = authPath(destination, secondStepPath);
  return (
    <Entry
      title="One more step"
      subtitle={
        !hasApps
          ? "Your passkey is asked for as well."
          : withRecovery
            ? "Type one of your recovery codes."
            : "Type the code that your authenticator app shows."
      }
    >
      <PageHead title="One more step" noindex />
      <SecondStepForm
        email={email}
        here={here}
        ways={{ hasApps, hasPasskeys, withRecovery }}
        complaint={actionData?.complaint ?? null}
        busy={busy}
      />
    </Entry>
  );
}
