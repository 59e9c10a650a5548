import { Form, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { NameField } from "~/features/accounts/components/credential-fields.tsx";
import { ownSession } from "~/features/accounts/owner/queries.server.ts";
import { changeName, complain } from "~/features/accounts/settings/commands.server.ts";
import { accountPath, settingWords } from "~/features/accounts/settings/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { Route } from "./+types/name.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  return { name: ownSession(context, url).viewer.name };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer } = ownSession(context, url);
  const { name } = await formFields(request);
  const complaint = await changeName(servicesOf(context), viewer.id, name);
  if (complaint) return complain({ request, context }, complaint, { name });
  return redirectWithToast(accountPath, settingWords.nameSaved);
}

export default function Name({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <AccountFrame>
      <PageHead title="Your name" noindex />
      <AccountPart id="name" title="Your name" lead="I call you by it in my letters.">
        <Form method="post" noValidate className="grid gap-5">
          <NameField
            complaint={actionData?.complaint ?? null}
            value={actionData?.typed.name ?? loaderData.name}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={busy} busyLabel="Saving...">
              Save
            </Button>
            <ButtonLink href={accountPath} variant="outline">
              Cancel
            </ButtonLink>
          </div>
        </Form>
      </AccountPart>
    </AccountFrame>
  );
}
