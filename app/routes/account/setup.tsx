import { data, Form, useNavigation } from "react-router";
import { createFirstAdmin, isSetupToken } from "~/features/accounts/commands.server.ts";
import {
  EmailField,
  NameField,
  PasswordField,
} from "~/features/accounts/components/credential-fields.tsx";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { authPath } from "~/features/accounts/rules.ts";
import { signUpFields } from "~/features/accounts/schema.ts";
import { newPasswordComplaint } from "~/features/accounts/strength/queries.server.ts";
import { messages } from "~/features/accounts/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/setup.ts";

export const handle = { hydrate: true };

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export async function loader({ request, context }: Route.LoaderArgs) {
  if (!(await isSetupToken(servicesOf(context), tokenOf(request)))) throw data(null, 404);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await formFields(request);
  const typed = { name: fields.name, email: fields.email };
  const parsed = signUpFields.safeParse(fields);
  const refuse = (complaint: { field: string; message: string }) => {
    const toast = {
      title: messages.validation,
      description: complaint.message,
      tone: "destructive",
    } as const;
    return data({ complaint, typed }, { status: 400, headers: flash(request, context, toast) });
  };
  const complaint = await newPasswordComplaint(parsed);
  if (!parsed.success || complaint) return refuse(complaint ?? { field: "", message: "" });
  const result = await createFirstAdmin(servicesOf(context), tokenOf(request), parsed.data);
  if (result === "token") throw data(null, 404);
  if (result === "taken")
    return refuse({
      field: "email",
      message: "This address has an account already. Please use another one.",
    });
  return redirectWithToast(authPath("/admin"), {
    ...messages.adminCreated,
    tone: "success",
  });
}

export default function Setup({ actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  const complaint = actionData?.complaint ?? null;
  return (
    <Entry title="Your site is running" subtitle="Make your own account, the first administrator.">
      <PageHead title="Set up" noindex />
      <Form method="post" noValidate className="grid gap-5">
        <NameField complaint={complaint} value={actionData?.typed.name} />
        <EmailField complaint={complaint} value={actionData?.typed.email} />
        <PasswordField complaint={complaint} fresh />
        <Button type="submit" size="lg" busy={busy} busyLabel="Creating your account...">
          Create my account
        </Button>
      </Form>
    </Entry>
  );
}
