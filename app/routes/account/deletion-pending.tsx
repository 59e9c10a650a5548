import { Form, redirect } from "react-router";
import { cancelDeletion, deletionDay } from "~/features/accounts/deletion.server.ts";
import { deletionMessages } from "~/features/accounts/messages.ts";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { accountPath } from "~/features/auth/messages.ts";
import { safeDestination } from "~/features/auth/rules.ts";
import { signOut } from "~/features/auth/sign-in.server.ts";
import { twoFactorPromptPath } from "~/features/auth/two-factor-setup.server.ts";
import {
  currentCaller,
  servicesOf,
  sessionContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import { asDocument, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/deletion-pending.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

type Context = Route.LoaderArgs["context"];

const dayOf = (context: Context, { deletionDueAt }: { deletionDueAt: Date }) =>
  deletionDay(servicesOf(context), deletionDueAt, context.get(timeZoneContext));

export function loader({ context }: Route.LoaderArgs) {
  const { pendingDeletion } = context.get(sessionContext);
  if (!pendingDeletion) throw redirect(accountPath);
  return { day: dayOf(context, pendingDeletion) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { pendingDeletion } = context.get(sessionContext);
  if (!pendingDeletion) throw redirect(accountPath);
  const services = servicesOf(context);
  if ((await formFields(request)).intent === "keep") {
    await cancelDeletion(services, pendingDeletion.id);
    const way = new URL(request.url).searchParams.get("redirect");
    const to = await twoFactorPromptPath(services, pendingDeletion.id, safeDestination(way));
    return asDocument(redirectWithToast(to, deletionMessages.kept));
  }
  const cookies = await signOut(services, currentCaller({ request, context }));
  const toast = deletionMessages.scheduled(dayOf(context, pendingDeletion));
  return asDocument(redirectWithToast("/", toast, cookies));
}

export default function DeletionPendingPage({ loaderData }: Route.ComponentProps) {
  return (
    <AuthPage
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
    </AuthPage>
  );
}
