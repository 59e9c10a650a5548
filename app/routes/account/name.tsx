import { Form } from "react-router";
import { changeName, formErrorResponse } from "~/features/accounts/settings.server.ts";
import {
  AccountFrame,
  AccountPart,
  SaveOrCancel,
} from "~/features/auth/components/account-frame.tsx";
import { NameField } from "~/features/auth/components/credential-fields.tsx";
import { accountPath, settingsMessages } from "~/features/auth/messages.ts";
import { requireSession } from "~/features/auth/reauthentication.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/name.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  return { name: requireSession(context, url).viewer.name };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer } = requireSession(context, url);
  const { name } = await formFields(request);
  const fieldError = await changeName(servicesOf(context), viewer.id, name);
  if (fieldError) return formErrorResponse({ request, context }, fieldError, { name });
  return redirectWithToast(accountPath, settingsMessages.nameSaved);
}

export default function Name({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AccountFrame>
      <PageHead title="Your name" noindex />
      <AccountPart id="name" title="Your name" lead="I call you by it in my emails.">
        <Form method="post" noValidate className="grid gap-5">
          <NameField
            fieldError={actionData?.fieldError ?? null}
            value={actionData?.typed.name ?? loaderData.name}
          />
          <SaveOrCancel />
        </Form>
      </AccountPart>
    </AccountFrame>
  );
}
