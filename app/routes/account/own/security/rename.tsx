import { data, Form, redirect, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { renameApp } from "~/features/accounts/factors/commands.server.ts";
import { nameField } from "~/features/accounts/factors/schema.ts";
import { kinds, messages, securityPath } from "~/features/accounts/factors/texts.ts";
import { ownSession } from "~/features/accounts/owner/queries.server.ts";
import { renamePasskey } from "~/features/accounts/passkeys/commands.server.ts";
import { firstMessage } from "~/features/accounts/rules.ts";
import { findWay } from "~/features/accounts/security/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import type { Route } from "./+types/rename.ts";

export const handle = { hydrate: true };

async function asked({ context, url }: Pick<Route.LoaderArgs, "context" | "url">) {
  const { userId } = ownSession(context, url);
  const way = await findWay(servicesOf(context), { userId, query: url.searchParams });
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
  const parsed = nameField.safeParse(fields);
  if (!parsed.success) return data({ problem: firstMessage(parsed), name: fields.name ?? "" }, 400);
  const rename = kind === "app" ? renameApp : renamePasskey;
  await rename(servicesOf(args.context), { userId, id, name: parsed.data.name });
  return redirectWithToast(securityPath, messages.renamed);
}

export default function Rename({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, name } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const title = `Rename this ${kinds[kind].noun}`;
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
