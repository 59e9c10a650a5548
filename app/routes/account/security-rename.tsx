import { data, Form, redirect, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import { securityMethodKinds, securityPath, twoFactorMessages } from "~/features/auth/messages.ts";
import { renamePasskey } from "~/features/auth/passkeys.server.ts";
import { requireSession } from "~/features/auth/reauthentication.server.ts";
import { firstMessage } from "~/features/auth/rules.ts";
import { factorNameField } from "~/features/auth/schema.ts";
import { findSecurityMethod } from "~/features/auth/security-settings.server.ts";
import { renameAuthenticatorApp } from "~/features/auth/two-factor.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/security-rename.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

async function asked({ context, url }: Pick<Route.LoaderArgs, "context" | "url">) {
  const { userId } = requireSession(context, url);
  const way = await findSecurityMethod(servicesOf(context), { userId, query: url.searchParams });
  if (!way) throw redirect(securityPath);
  return { userId, ...way };
}

export async function loader(args: Route.LoaderArgs) {
  const { kind, name } = await asked(args);
  return { kind, name };
}

export async function action(args: Route.ActionArgs) {
  const { userId, kind, id } = await asked(args);
  const fields = await formFields(args.request);
  const parsed = factorNameField.safeParse(fields);
  if (!parsed.success) return data({ problem: firstMessage(parsed), name: fields.name ?? "" }, 400);
  const rename = kind === "app" ? renameAuthenticatorApp : renamePasskey;
  await rename(servicesOf(args.context), { userId, id, name: parsed.data.name });
  return redirectWithToast(securityPath, twoFactorMessages.renamed);
}

export default function Rename({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, name } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const title = `Rename this ${securityMethodKinds[kind].noun}`;
  return (
    <AccountFrame>
      <PageHead title={title} noindex />
      <AccountPart id="rename" title={title}>
        <Form method="post" noValidate className="grid max-w-[22rem] gap-5">
          <Field label="Name" error={actionData?.problem}>
            <Input
              name="name"
              defaultValue={actionData?.name ?? name}
              maxLength={60}
              autoComplete="off"
              required
              autoFocus={Boolean(actionData?.problem)}
            />
          </Field>
          <div className="flex flex-wrap items-center gap-5">
            <Button type="submit" busy={busy} busyLabel="Saving...">
              Save
            </Button>
            <a href={securityPath}>Cancel</a>
          </div>
        </Form>
      </AccountPart>
    </AccountFrame>
  );
}
