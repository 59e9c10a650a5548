import { Form, redirect } from "react-router";
import { signOut } from "~/features/accounts/access/commands.server.ts";
import { protectFirst } from "~/features/accounts/asking/queries.server.ts";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { keepAccount } from "~/features/accounts/leaving/commands.server.ts";
import { dayOf } from "~/features/accounts/leaving/queries.server.ts";
import { leavingWords } from "~/features/accounts/leaving/texts.ts";
import { safeDestination } from "~/features/accounts/rules.ts";
import { accountPath } from "~/features/accounts/settings/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import {
  clientAddressContext,
  servicesOf,
  sessionContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import { asDocument, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/leaving.ts";

export const handle = { hydrate: true };

export function loader({ context }: Route.LoaderArgs) {
  const { leaving } = context.get(sessionContext);
  if (!leaving) throw redirect(accountPath);
  const day = dayOf(servicesOf(context), leaving.deletionDueAt, context.get(timeZoneContext));
  return { day };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { leaving } = context.get(sessionContext);
  if (!leaving) throw redirect(accountPath);
  const services = servicesOf(context);
  if ((await formFields(request)).intent === "keep") {
    await keepAccount(services, leaving.id);
    const way = new URL(request.url).searchParams.get("redirect");
    const to = await protectFirst(services, leaving.id, safeDestination(way));
    return asDocument(redirectWithToast(to, leavingWords.kept));
  }
  const cookies = await signOut(services, callerOf(request, context.get(clientAddressContext)));
  return asDocument(redirectWithToast("/", leavingWords.goesOn, cookies));
}

export default function LeavingPage({ loaderData }: Route.ComponentProps) {
  return (
    <Entry
      title="Shall your account stay?"
      subtitle={`You asked me to delete it. On ${loaderData.day} it goes, with everything you have written. Until then it stands still.`}
    >
      <PageHead title="Shall your account stay?" noindex />
      <Form method="post" className="flex flex-wrap gap-3">
        <Button type="submit" name="intent" value="keep" size="lg">
          Keep it
        </Button>
        <Button type="submit" name="intent" value="go" size="lg" variant="outline">
          Go on deleting
        </Button>
      </Form>
    </Entry>
  );
}
