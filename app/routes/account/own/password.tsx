import { Form, useNavigation } from "react-router";
import { requestPasswordReset } from "~/features/accounts/access/commands.server.ts";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { findPassword, ownSession } from "~/features/accounts/owner/queries.server.ts";
import { changePassword } from "~/features/accounts/password/commands.server.ts";
import { PasswordForm } from "~/features/accounts/password/components/password-form.tsx";
import { newPasswordField } from "~/features/accounts/schema.ts";
import { complain } from "~/features/accounts/settings/commands.server.ts";
import { accountPath, settingWords } from "~/features/accounts/settings/texts.ts";
import { newPasswordComplaint } from "~/features/accounts/strength/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/password.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer } = ownSession(context, url);
  const password = await findPassword(servicesOf(context), viewer.id);
  return { email: viewer.email, isPasswordSet: password !== null };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer, sessionId } = ownSession(context, url);
  const services = servicesOf(context);
  const { intent, current = "", password } = await formFields(request);
  const refuse = (field: string, message: string) =>
    complain({ request, context }, { field, message }, {});
  if (intent === "letter") {
    const caller = callerOf(request, context.get(clientAddressContext));
    const asked = { email: viewer.email, destination: accountPath };
    const sent = await requestPasswordReset(services, caller, asked);
    return sent.ok
      ? redirectWithToast(accountPath, settingWords.resetSent)
      : refuse("", sent.problem);
  }
  const parsed = newPasswordField.safeParse({ password });
  const complaint = await newPasswordComplaint(parsed, viewer);
  if (!parsed.success || complaint) return complain({ request, context }, complaint ?? none, {});
  const change = { userId: viewer.id, sessionId, current, password: parsed.data.password };
  const problem = await changePassword(services, change);
  if (problem) return refuse("current", problem);
  return redirectWithToast(accountPath, settingWords.passwordSaved);
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
          <PasswordForm complaint={actionData?.complaint ?? null} email={email} />
        </AccountPart>
      ) : (
        <AccountPart
          id="password"
          title="Set a password"
          lead="You have none yet, because you sign in another way."
        >
          <p>
            I send you a letter to {email}. Its link leads to a page on which you choose a password.
            Then you are signed out everywhere, and can sign in with either.
          </p>
          <Form method="post">
            <input type="hidden" name="intent" value="letter" />
            <Button type="submit" busy={busy} busyLabel="Sending...">
              Send me the letter
            </Button>
          </Form>
        </AccountPart>
      )}
    </AccountFrame>
  );
}
