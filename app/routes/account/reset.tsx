import { data, Form, useNavigation } from "react-router";
import { resetPassword } from "~/features/accounts/access/commands.server.ts";
import { PasswordField } from "~/features/accounts/components/credential-fields.tsx";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { authPath, firstComplaint, safeDestination } from "~/features/accounts/rules.ts";
import { newPasswordField } from "~/features/accounts/schema.ts";
import { messages } from "~/features/accounts/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { Route } from "./+types/reset.ts";

export const handle = { hydrate: true };

export async function action({ request, context }: Route.ActionArgs) {
  const query = new URL(request.url).searchParams;
  const parsed = newPasswordField.safeParse(await formFields(request));
  const complaint = firstComplaint(parsed);
  const refuse = (title: string, description: string, deadLink: boolean) => {
    const headers = flash(request, context, { title, description, tone: "destructive" });
    return data({ complaint, deadLink }, { status: 400, headers });
  };
  if (!parsed.success) return refuse(messages.validation, complaint?.message ?? "", false);
  const result = await resetPassword(
    servicesOf(context),
    callerOf(request, context.get(clientAddressContext)),
    { token: query.get("token") ?? "", password: parsed.data.password },
  );
  if (!result.ok) return refuse(messages.resetFailed, result.problem, result.reason === "link");
  const to = authPath(safeDestination(query.get("redirect")));
  return redirectWithToast(to, { ...messages.passwordChanged, tone: "success" });
}

export default function Reset({ actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <Entry title="Choose a new password" subtitle="You will be signed out everywhere else.">
      <PageHead title="Choose a new password" noindex />
      {actionData?.deadLink ? (
        <Notice tone="warning" title="This link no longer works" live>
          <p>Links work once, and for an hour. You can have a new one.</p>
          <p className="mt-4">
            <ButtonLink href="/auth/forgot" variant="outline" size="sm">
              Send me a new link
            </ButtonLink>
          </p>
        </Notice>
      ) : (
        <Form method="post" noValidate className="grid gap-5">
          <PasswordField label="New password" complaint={actionData?.complaint ?? null} fresh />
          <Button type="submit" size="lg" busy={busy} busyLabel="Saving...">
            Save the new password
          </Button>
        </Form>
      )}
    </Entry>
  );
}
