import { Form, useNavigation } from "react-router";
import { formErrorResponse } from "~/features/accounts/settings.server.ts";
import {
  AccountFrame,
  AccountPart,
  SaveOrCancel,
} from "~/features/auth/components/account-frame.tsx";
import { PasswordField } from "~/features/auth/components/credential-fields.tsx";
import { accountPath, settingsMessages } from "~/features/auth/messages.ts";
import { changePassword, newPasswordError } from "~/features/auth/passwords.server.ts";
import { findPasswordHash, requireSession } from "~/features/auth/reauthentication.server.ts";
import { type FieldError, newPasswordField } from "~/features/auth/schema.ts";
import { requestPasswordReset } from "~/features/auth/sign-in.server.ts";
import { currentCaller, servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/password.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer } = requireSession(context, url);
  const password = await findPasswordHash(servicesOf(context), viewer.id);
  return { email: viewer.email, isPasswordSet: password !== null };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer, sessionId } = requireSession(context, url);
  const services = servicesOf(context);
  const { intent, current = "", password } = await formFields(request);
  const refuse = (field: string, message: string) =>
    formErrorResponse({ request, context }, { field, message }, {});
  if (intent === "send-link") {
    const caller = currentCaller({ request, context });
    const asked = { email: viewer.email, destination: accountPath };
    const sent = await requestPasswordReset(services, caller, asked);
    return sent.ok
      ? redirectWithToast(accountPath, settingsMessages.resetSent)
      : refuse("", sent.problem);
  }
  const parsed = newPasswordField.safeParse({ password });
  const fieldError = await newPasswordError(servicesOf(context), parsed, viewer);
  if (!parsed.success || fieldError)
    return formErrorResponse({ request, context }, fieldError ?? none, {});
  const change = { userId: viewer.id, sessionId, current, password: parsed.data.password };
  const problem = await changePassword(services, change);
  if (problem) return refuse("current", problem);
  return redirectWithToast(accountPath, settingsMessages.passwordSaved);
}

const none = { field: "", message: "" };

export default function Password({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  const { email, isPasswordSet } = loaderData;
  return (
    <AccountFrame>
      <PageHead title="Your password" noindex />
      {isPasswordSet ? (
        <AccountPart
          id="password"
          title="Your password"
          lead="With a new one you stay signed in here, and are signed out on every other device."
        >
          <PasswordForm fieldError={actionData?.fieldError ?? null} email={email} />
        </AccountPart>
      ) : (
        <AccountPart
          id="password"
          title="Set a password"
          lead="You have none yet, because you sign in another way."
        >
          <p>
            I send you an email to {email}. Its link leads to a page on which you choose a password.
            Then you are signed out everywhere, and can sign in with either.
          </p>
          <Form method="post">
            <input type="hidden" name="intent" value="send-link" />
            <Button type="submit" busy={busy} busyLabel="Sending...">
              Send me the email
            </Button>
          </Form>
        </AccountPart>
      )}
    </AccountFrame>
  );
}

function PasswordForm({ fieldError, email }: { fieldError: FieldError | null; email: string }) {
  return (
    <Form method="post" noValidate className="grid gap-5">
      {/* Tells password managers which account this is. */}
      <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
      <PasswordField
        name="current"
        label="Current password"
        fieldError={fieldError}
        fresh={false}
      />
      <p className="-mt-2 text-sm">
        <a href="/auth/forgot">Forgot your password?</a>
      </p>
      <PasswordField label="New password" fieldError={fieldError} fresh />
      <SaveOrCancel save="Save the new password" />
    </Form>
  );
}
