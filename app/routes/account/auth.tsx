import { useEffect } from "react";
import { data, Form, Link, redirectDocument, useNavigation, useRevalidator } from "react-router";
import { CheckYourMail } from "~/features/accounts/components/check-your-mail.tsx";
import {
  EmailField,
  NameField,
  PasswordField,
} from "~/features/accounts/components/credential-fields.tsx";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { enter } from "~/features/accounts/entry/commands.server.ts";
import { authPath, safeDestination } from "~/features/accounts/rules.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf, viewerOf } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/auth.ts";

export const handle = { hydrate: true };

function asked(request: Request) {
  const query = new URL(request.url).searchParams;
  const mode = query.get("mode") === "sign-up" ? ("sign-up" as const) : ("sign-in" as const);
  return { mode, destination: safeDestination(query.get("redirect")) };
}

export function loader({ request, context }: Route.LoaderArgs) {
  const { mode, destination } = asked(request);
  if (viewerOf(context)) throw redirectDocument(destination);
  return { mode, destination };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { mode, destination } = asked(request);
  const caller = callerOf(request, context.get(clientAddressContext));
  const fields = await formFields(request);
  const result = await enter(servicesOf(context), caller, { mode, fields, destination });
  if ("signedIn" in result)
    return asDocument(redirectWithToast(destination, result.toast, result.signedIn));
  const { toast, ...answer } = result;
  const status = toast.tone === "destructive" ? 400 : 200;
  const typed = { name: fields.name, email: fields.email };
  return data({ ...answer, typed }, { status, headers: flash(request, context, toast) });
}

const words = {
  "sign-in": {
    title: "Welcome Back",
    subtitle: "Sign in to continue your journey",
    submit: "Sign In",
    busy: "Signing in...",
    other: "Don’t have an account?",
    switchTo: "Sign up",
  },
  "sign-up": {
    title: "Create Account",
    subtitle: "Sign up to access your courses",
    submit: "Create Account",
    busy: "Creating your account...",
    other: "Already have an account?",
    switchTo: "Sign in",
  },
};

/** Somebody who signed in in another tab is sent on when she comes back to this one. */
function useLookAgain() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const look = () => void revalidate();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [revalidate]);
}

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  const { mode, destination } = loaderData;
  const text = words[mode];
  useLookAgain();
  const busy = useNavigation().formAction !== undefined;
  const complaint = actionData?.complaint ?? null;
  const here = authPath(destination);
  const other = mode === "sign-in" ? `${here}&mode=sign-up` : here;
  return (
    <Entry title={text.title} subtitle={text.subtitle}>
      <PageHead title={text.submit} noindex />
      {actionData?.sentTo && <CheckYourMail email={actionData.sentTo} kind="sent" />}
      {actionData?.unverified && <CheckYourMail email={actionData.unverified} kind="unverified" />}
      {!actionData?.sentTo && (
        <Form method="post" noValidate className="grid gap-5">
          {mode === "sign-up" && <NameField complaint={complaint} value={actionData?.typed.name} />}
          <EmailField complaint={complaint} value={actionData?.typed.email} />
          <PasswordField complaint={complaint} fresh={mode === "sign-up"} />
          <Button type="submit" size="lg" busy={busy} busyLabel={text.busy}>
            {text.submit}
          </Button>
        </Form>
      )}
      <div className="grid gap-2 text-ink-soft">
        {mode === "sign-in" && (
          <p>
            <a href={authPath(destination, "/auth/forgot")}>Forgot your password?</a>
          </p>
        )}
        <p>
          {text.other}{" "}
          <Link to={other} replace>
            {text.switchTo}
          </Link>
        </p>
      </div>
    </Entry>
  );
}
