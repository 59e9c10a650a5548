import { data, Form, useNavigation } from "react-router";
import { cancelDeletionByLink, findDeletionToCancel } from "~/features/accounts/deletion.server.ts";
import { deletionMessages } from "~/features/accounts/messages.ts";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { asDocument, redirectWithToast } from "~/platform/http/flash.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { AnswerPage } from "../answer-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/cancel-deletion.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

export const headers = () => ({ "Cache-Control": "private, no-store" });

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const day = await findDeletionToCancel(servicesOf(context), tokenOf(url));
  return day === null ? data({ day }, 400) : { day };
}

export async function action({ context, url }: Route.ActionArgs) {
  // The loader's page says what is wrong with the link.
  if (!(await cancelDeletionByLink(servicesOf(context), tokenOf(url)))) return data(null, 400);
  return asDocument(redirectWithToast("/auth", deletionMessages.keptSignIn));
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function Keep({ loaderData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (loaderData.day === null)
    return (
      <AnswerPage
        title="There is nothing to keep"
        subtitle="Either your account stays already, or its week is over and it is deleted."
        href="/auth"
        action="Go to sign in"
      />
    );
  return (
    <AuthPage
      title="Keep your account?"
      subtitle={`It would be deleted on ${loaderData.day}. One press, and everything is as it was.`}
    >
      <PageHead title="Keep your account?" noindex />
      <Form method="post">
        <Button type="submit" size="lg" busy={busy} busyLabel="One moment...">
          Keep my account
        </Button>
      </Form>
    </AuthPage>
  );
}
