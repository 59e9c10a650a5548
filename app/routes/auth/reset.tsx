import { data, Form, useNavigation } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { PasswordField } from "~/features/auth/components/credential-fields.tsx";
import { authMessages } from "~/features/auth/messages.ts";
import { isResetLinkValid, newPasswordError } from "~/features/auth/passwords.server.ts";
import { authPath, safeDestination } from "~/features/auth/rules.ts";
import { newPasswordField } from "~/features/auth/schema.ts";
import { resetPassword } from "~/features/auth/sign-in.server.ts";
import { currentCaller, servicesOf } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { AnswerPage } from "../answer-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/reset.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const another = authPath(safeDestination(query.get("redirect")), "/auth/forgot");
  const isValid = await isResetLinkValid(servicesOf(context), query.get("token") ?? "");
  return data({ another, isValid }, isValid ? 200 : 400);
}

export async function action({ request, context }: Route.ActionArgs) {
  const query = new URL(request.url).searchParams;
  const parsed = newPasswordField.safeParse(await formFields(request));
  const fieldError = await newPasswordError(servicesOf(context), parsed);
  const refuse = (title: string, description: string, status = 400) => {
    const headers = flash(request, context, { title, description, tone: "destructive" });
    return data({ fieldError, invalidLink: false }, { status, headers });
  };
  if (!parsed.success || fieldError)
    return refuse(authMessages.validation, fieldError?.message ?? "");
  const result = await resetPassword(servicesOf(context), currentCaller({ request, context }), {
    token: query.get("token") ?? "",
    password: parsed.data.password,
  });
  if (!result.ok && result.reason === "link") return data({ fieldError, invalidLink: true }, 400);
  if (!result.ok)
    return refuse(authMessages.resetFailed, result.problem, result.reason === "busy" ? 503 : 400);
  const to = authPath(safeDestination(query.get("redirect")));
  // The account knows the device from now on (docs/decisions/014).
  const toast = { ...authMessages.passwordChanged, tone: "success" as const };
  return redirectWithToast(to, toast, result.setCookies);
}

export default function Reset({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (actionData?.invalidLink || !loaderData.isValid)
    return (
      <AnswerPage
        news={actionData !== undefined}
        title={authMessages.invalidLink}
        subtitle="Links work once, and for an hour. If you have used it already, your new password works. You can have a new link."
        href={loaderData.another}
        action="Send me a new link"
      />
    );
  return (
    <AuthPage
      title="Choose a new password"
      subtitle="You will be signed out everywhere, and can sign in with the new one."
    >
      <PageHead title="Choose a new password" noindex />
      <Form method="post" noValidate className="grid gap-5">
        <PasswordField label="New password" fieldError={actionData?.fieldError ?? null} fresh />
        <Button type="submit" size="lg" busy={busy} busyLabel="Saving...">
          Save the new password
        </Button>
      </Form>
    </AuthPage>
  );
}
