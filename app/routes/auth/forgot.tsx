import { useState } from "react";
import { data, Form, useLocation, useNavigation } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { EmailField } from "~/features/auth/components/credential-fields.tsx";
import { authMessages } from "~/features/auth/messages.ts";
import { authPath, firstFieldError, safeDestination } from "~/features/auth/rules.ts";
import { emailField } from "~/features/auth/schema.ts";
import { requestPasswordReset } from "~/features/auth/sign-in.server.ts";
import { currentCaller, servicesOf } from "~/platform/http/context.ts";
import { flash } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/forgot.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

export function loader({ request }: Route.LoaderArgs) {
  return { back: authPath(safeDestination(new URL(request.url).searchParams.get("redirect"))) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const destination = safeDestination(new URL(request.url).searchParams.get("redirect"));
  const parsed = emailField.safeParse(await formFields(request));
  const refuse = (title: string, description: string, field: string) => {
    const headers = flash(request, context, { title, description, tone: "destructive" });
    const fieldError = { field, message: description };
    return data({ sentTo: null, fieldError }, { status: 400, headers });
  };
  if (!parsed.success)
    return refuse(authMessages.validation, firstFieldError(parsed)?.message ?? "", "email");
  const { email } = parsed.data;
  const caller = currentCaller({ request, context });
  const sent = await requestPasswordReset(servicesOf(context), caller, { email, destination });
  if (!sent.ok) return refuse(authMessages.sendFailed, sent.problem, "email");
  return data({ sentTo: email, fieldError: null });
}

export default function Forgot({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  // What was typed on the page of the sign-in.
  const [typed] = useState<unknown>(useLocation().state?.email);
  return (
    <AuthPage
      title="A new password"
      subtitle="Forgetting passwords is one of the small things grief does."
    >
      <PageHead title="A new password" noindex />
      {actionData?.sentTo ? (
        <Notice tone="success" title="Please check your email" focused>
          <p className="break-words">
            If {actionData.sentTo} has an account here, we have sent a link to choose a new
            password. It works for an hour.
          </p>
        </Notice>
      ) : (
        <Form method="post" noValidate className="grid gap-5">
          <EmailField
            fieldError={actionData?.fieldError ?? null}
            value={typeof typed === "string" ? typed : undefined}
          />
          <Button type="submit" size="lg" busy={busy} busyLabel="Sending...">
            Send me a link
          </Button>
        </Form>
      )}
      <p>
        <a href={loaderData.back}>Back to sign in</a>
      </p>
    </AuthPage>
  );
}
