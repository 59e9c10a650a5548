import { type MouseEvent, type RefObject, useEffect, useRef } from "react";
import {
  data,
  Form,
  Link,
  redirectDocument,
  useNavigate,
  useNavigation,
  useRevalidator,
} from "react-router";
import { deletionPendingPath } from "~/features/accounts/messages.ts";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import {
  EmailField,
  NameField,
  PasswordField,
} from "~/features/auth/components/credential-fields.tsx";
import { PasskeySignIn } from "~/features/auth/components/passkey-sign-in.tsx";
import { Or, ProviderButtons } from "~/features/auth/components/provider-buttons.tsx";
import {
  CheckYourEmail,
  ConfirmFirst,
  MaybeUnconfirmed,
  PausedAccount,
} from "~/features/auth/components/sign-in-notices.tsx";
import { listProviders } from "~/features/auth/linked-accounts.server.ts";
import {
  authMessages,
  providerErrorMessage,
  suspendedCode,
  twoFactorPath,
  welcomeNewUser,
} from "~/features/auth/messages.ts";
import { authPath, safeDestination } from "~/features/auth/rules.ts";
import { submitAuthForm } from "~/features/auth/sign-in.server.ts";
import { twoFactorPromptPath } from "~/features/auth/two-factor-setup.server.ts";
import { retrySeconds } from "~/platform/auth/hash-queue.ts";
import { currentCaller, servicesOf, sessionContext } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { useSite } from "~content/use-site.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/sign-in.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

function asked(request: Request) {
  const query = new URL(request.url).searchParams;
  const mode = query.get("mode") === "sign-up" ? ("sign-up" as const) : ("sign-in" as const);
  return { mode, destination: safeDestination(query.get("redirect")) };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { mode, destination } = asked(request);
  const query = new URL(request.url).searchParams;
  const services = servicesOf(context);
  const { config } = services;
  const arrived = query.get("arrived");
  const { viewer, pending, pendingDeletion } = context.get(sessionContext);
  if (pending) throw redirectDocument(authPath(destination, twoFactorPath));
  if (pendingDeletion) throw redirectDocument(deletionPendingPath);
  if (viewer) {
    if (!arrived) throw redirectDocument(destination);
    const toast = arrived === "new" ? welcomeNewUser : authMessages.welcome;
    const to = await twoFactorPromptPath(services, viewer.id, destination);
    throw asDocument(redirectWithToast(to, { ...toast, tone: "success" }));
  }
  const error = query.get("error");
  const name = config.providers.find(({ id }) => id === query.get("with"))?.name ?? "The provider";
  const isSent = error === "unconfirmed";
  const isSuspended = error === suspendedCode.toLowerCase();
  if (error && !isSent && !isSuspended)
    throw redirectWithToast(
      authPath(destination) + modeQuery[mode],
      providerErrorMessage(error, name),
    );
  const sentBy = isSent ? name : null;
  return { mode, destination, providers: listProviders(config), sentBy, isSuspended };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { mode, destination } = asked(request);
  const caller = currentCaller({ request, context });
  const fields = await formFields(request);
  const result = await submitAuthForm(servicesOf(context), caller, { mode, fields, destination });
  if ("signedIn" in result)
    return asDocument(redirectWithToast(result.to, result.toast, result.signedIn));
  const { toast, setCookies, isBusy, ...answer } = result;
  const status = isBusy ? 503 : toast.tone === "destructive" ? 400 : 200;
  const typed = { name: fields.name, email: fields.email };
  const headers = new Headers(flash(request, context, toast));
  if (isBusy) headers.set("Retry-After", String(retrySeconds));
  for (const cookie of setCookies) headers.append("Set-Cookie", cookie);
  return data({ ...answer, typed }, { status, headers });
}

const modeQuery = { "sign-in": "", "sign-up": "&mode=sign-up" };

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

// A user who signed in in another tab is redirected: at once, or on return to this tab.
function useLookAgain() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const look = () => void revalidate();
    addEventListener("focus", look);
    document.addEventListener("session", look);
    return () => {
      removeEventListener("focus", look);
      document.removeEventListener("session", look);
    };
  }, [revalidate]);
}

// The typed address goes along in the browser's history: a URL would put it into logs. Without
// scripts it is typed again, as a form would send the password along.
function ForgotLink({ href, form }: { href: string; form: RefObject<HTMLFormElement | null> }) {
  const navigate = useNavigate();
  function follow(event: MouseEvent) {
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (event.button !== 0 || !isPlain || !form.current) return;
    event.preventDefault();
    void navigate(href, { state: { email: new FormData(form.current).get("email") } });
  }
  return (
    <a href={href} onClick={follow}>
      Forgot your password?
    </a>
  );
}

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  const site = useSite();
  const { mode, destination, providers, sentBy } = loaderData;
  const text = words[mode];
  useLookAgain();
  const form = useRef<HTMLFormElement>(null);
  const busy = useNavigation().formAction !== undefined;
  const fieldError = actionData?.fieldError ?? null;
  const here = authPath(destination);
  const other = mode === "sign-in" ? `${here}&mode=sign-up` : here;
  const passkey = mode === "sign-in" && (
    <PasskeySignIn label="Continue with a passkey" busy={busy} />
  );
  return (
    <AuthPage title={text.title} subtitle={text.subtitle}>
      <PageHead title={text.submit} noindex />
      {actionData?.sentTo && <CheckYourEmail email={actionData.sentTo} />}
      {actionData?.refusedEmail && <MaybeUnconfirmed email={actionData.refusedEmail} />}
      {(actionData ?? loaderData).isSuspended && <PausedAccount email={site.email} />}
      {sentBy && !actionData && <ConfirmFirst provider={sentBy} />}
      {!actionData?.sentTo && (
        <Form ref={form} method="post" noValidate className="grid gap-5">
          {mode === "sign-up" && (
            <NameField fieldError={fieldError} value={actionData?.typed.name} />
          )}
          <EmailField fieldError={fieldError} value={actionData?.typed.email} />
          <PasswordField fieldError={fieldError} fresh={mode === "sign-up"} />
          <Button type="submit" size="lg" busy={busy} busyLabel={text.busy}>
            {text.submit}
          </Button>
        </Form>
      )}
      {providers.length > 0 && !actionData?.sentTo ? (
        <div className="grid gap-3">
          <Or />
          <ProviderButtons
            providers={providers}
            verb="Continue with"
            query={new URL(here + modeQuery[mode], "https://self.invalid").search}
          />
          {passkey}
        </div>
      ) : (
        passkey
      )}
      <div className="grid gap-2 text-ink-soft">
        {mode === "sign-in" && (
          <p>
            <ForgotLink href={authPath(destination, "/auth/forgot")} form={form} />
          </p>
        )}
        <p>
          {text.other}{" "}
          <Link to={other} replace>
            {text.switchTo}
          </Link>
        </p>
      </div>
    </AuthPage>
  );
}
