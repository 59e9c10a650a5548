import { data, Form, useNavigation } from "react-router";
import { resetPassword } from "~/features/accounts/access/commands.server.ts";
import { PasswordField } from "~/features/accounts/components/credential-fields.tsx";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { authPath, safeDestination } from "~/features/accounts/rules.ts";
import { newPasswordField } from "~/features/accounts/schema.ts";
import { newPasswordComplaint } from "~/features/accounts/strength/queries.server.ts";
import { messages } from "~/features/accounts/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { Route } from "./+types/reset.ts";

export const handle = { hydrate: true };

export function loader({ request }: Route.LoaderArgs) {
  const destination = safeDestination(new URL(request.url).searchParams.get("redirect"));
  return { another: authPath(destination, "/auth/forgot") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const query = new URL(request.url).searchParams;
  const parsed = newPasswordField.safeParse(await formFields(request));
  const complaint = await newPasswordComplaint(parsed);
  const refuse = (title: string, description: string, status = 400) => {
    const headers = flash(request, context, { title, description, tone: "destructive" });
    return data({ complaint, deadLink: false }, { status, headers });
  };
  if (!parsed.success || complaint) return refuse(messages.validation, complaint?.message ?? "");
  const result = await resetPassword(
    servicesOf(context),
    callerOf(request, context.get(clientAddressContext)),
    { token: query.get("token") ?? "", password: parsed.data.password },
  );
  if (!result.ok && result.reason === "link") return data({ complaint, deadLink: true }, 400);
  if (!result.ok)
    return refuse(messages.resetFailed, result.problem, result.reason === "busy" ? 503 : 400);
  const to = authPath(safeDestination(query.get("redirect")));
  // The device is known to the account from now on (docs/decisions/030).
  const toast = { ...messages.passwordChanged, tone: "success" as const };
  return redirectWithToast(to, toast, result.setCookies);
}

export default function Reset({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (actionData?.deadLink)
    return (
      <Entry
        title={messages.deadLink}
        subtitle="Links work once, and for an hour. Your password was not changed. You can have a new link."
        news
      >
        <PageHead title={messages.deadLink} noindex />
        <p>
          <ButtonLink href={loaderData.another} size="lg">
            Send me a new link
          </ButtonLink>
        </p>
      </Entry>
    );
  return (
    <Entry
      title="Choose a new password"
      subtitle="You will be signed out everywhere, and can sign in with the new one."
    >
      <PageHead title="Choose a new password" noindex />
      <Form method="post" noValidate className="grid gap-5">
        <PasswordField label="New password" complaint={actionData?.complaint ?? null} fresh />
        <Button type="submit" size="lg" busy={busy} busyLabel="Saving...">
          Save the new password
        </Button>
      </Form>
    </Entry>
  );
}
