import { data, Form, useNavigation } from "react-router";
import { requestPasswordReset } from "~/features/accounts/access/commands.server.ts";
import { EmailField } from "~/features/accounts/components/credential-fields.tsx";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { authPath, firstComplaint, safeDestination } from "~/features/accounts/rules.ts";
import { emailField } from "~/features/accounts/schema.ts";
import { messages } from "~/features/accounts/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf } from "~/platform/http/context.ts";
import { flash } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { Route } from "./+types/forgot.ts";

export const handle = { hydrate: true };

export function loader({ request }: Route.LoaderArgs) {
  return { back: authPath(safeDestination(new URL(request.url).searchParams.get("redirect"))) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const destination = safeDestination(new URL(request.url).searchParams.get("redirect"));
  const parsed = emailField.safeParse(await formFields(request));
  const refuse = (title: string, description: string, field: string) => {
    const headers = flash(request, context, { title, description, tone: "destructive" });
    const complaint = { field, message: description };
    return data({ sentTo: null, complaint }, { status: 400, headers });
  };
  if (!parsed.success)
    return refuse(messages.validation, firstComplaint(parsed)?.message ?? "", "email");
  const { email } = parsed.data;
  const caller = callerOf(request, context.get(clientAddressContext));
  const sent = await requestPasswordReset(servicesOf(context), caller, { email, destination });
  if (!sent.ok) return refuse(messages.sendFailed, sent.problem, "email");
  return data({ sentTo: email, complaint: null });
}

export default function Forgot({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <Entry
      title="A new password"
      subtitle="Forgetting passwords is one of the small things grief does."
    >
      <PageHead title="A new password" noindex />
      {actionData?.sentTo ? (
        <Notice tone="success" title="Please check your email" focused>
          <p className="break-words">
            If {actionData.sentTo} has an account here, a link to choose a new password is on its
            way. It works for an hour.
          </p>
        </Notice>
      ) : (
        <Form method="post" noValidate className="grid gap-5">
          <EmailField complaint={actionData?.complaint ?? null} />
          <Button type="submit" size="lg" busy={busy} busyLabel="Sending...">
            Send me a link
          </Button>
        </Form>
      )}
      <p>
        <a href={loaderData.back}>Back to sign in</a>
      </p>
    </Entry>
  );
}
