import { data, Form, useNavigation } from "react-router";
import { formErrorResponse } from "~/features/accounts/settings.server.ts";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import {
  EmailField,
  NameField,
  PasswordField,
} from "~/features/auth/components/credential-fields.tsx";
import { authMessages } from "~/features/auth/messages.ts";
import { newPasswordError } from "~/features/auth/passwords.server.ts";
import { authPath } from "~/features/auth/rules.ts";
import { signUpFields } from "~/features/auth/schema.ts";
import { createFirstAdmin, isSetupToken } from "~/features/auth/users.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/setup.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export async function loader({ request, context }: Route.LoaderArgs) {
  if (!(await isSetupToken(servicesOf(context), tokenOf(request)))) throw data(null, 404);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await formFields(request);
  const typed = { name: fields.name, email: fields.email };
  const parsed = signUpFields.safeParse(fields);
  const refuse = (field: string, message: string) =>
    formErrorResponse({ request, context }, { field, message }, typed);
  const fieldError = await newPasswordError(servicesOf(context), parsed);
  if (!parsed.success || fieldError)
    return refuse(fieldError?.field ?? "", fieldError?.message ?? "");
  const result = await createFirstAdmin(servicesOf(context), tokenOf(request), parsed.data);
  if (result === "token") throw data(null, 404);
  if (result === "taken")
    return refuse("email", "This address has an account already. Please use another one.");
  return redirectWithToast(authPath("/admin"), {
    ...authMessages.adminCreated,
    tone: "success",
  });
}

export default function Setup({ actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  const fieldError = actionData?.fieldError ?? null;
  return (
    <AuthPage
      title="Your site is running"
      subtitle="Make your own account, the first administrator."
    >
      <PageHead title="Set up" noindex />
      <Form method="post" noValidate className="grid gap-5">
        <NameField fieldError={fieldError} value={actionData?.typed.name} />
        <EmailField fieldError={fieldError} value={actionData?.typed.email} />
        <PasswordField fieldError={fieldError} fresh />
        <Button type="submit" size="lg" busy={busy} busyLabel="Creating your account...">
          Create my account
        </Button>
      </Form>
    </AuthPage>
  );
}
