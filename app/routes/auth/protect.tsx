import { Form, redirect, redirectDocument, useNavigation } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { addAppPath, securityPath } from "~/features/auth/messages.ts";
import { authPath, safeDestination } from "~/features/auth/rules.ts";
import {
  isTwoFactorPromptDue,
  postponeTwoFactorPrompt,
} from "~/features/auth/two-factor-setup.server.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/protect.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

const destinationOf = (url: URL) => safeDestination(url.searchParams.get("redirect"));

export async function loader({ context, url }: Route.LoaderArgs) {
  const destination = destinationOf(url);
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(destination));
  if (!(await isTwoFactorPromptDue(servicesOf(context), viewer.id)))
    throw redirectDocument(destination);
  return { destination };
}

export async function action({ context, url }: Route.ActionArgs) {
  const destination = destinationOf(url);
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(destination));
  await postponeTwoFactorPrompt(servicesOf(context), viewer.id);
  return redirectDocument(destination, 303);
}

export default function Protect({ loaderData: { destination } }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <AuthPage
      title="Add a second step"
      subtitle="Your account opens the names and addresses of people who grieve, and their payments. One stolen password would open all of it to somebody else."
    >
      <PageHead title="Add a second step" noindex />
      <p>
        With an authenticator app, signing in asks for a code from your phone as well. With a
        passkey, your finger, your face or a PIN takes the place of the password.
      </p>
      <div className="grid gap-3">
        <ButtonLink href={authPath(destination, addAppPath)} size="lg">
          Set up an app
        </ButtonLink>
        <ButtonLink
          href={`${authPath(destination, securityPath)}#passkeys`}
          size="lg"
          variant="outline"
        >
          Add a passkey
        </ButtonLink>
      </div>
      <Form method="post">
        <Button type="submit" variant="link" className="font-normal!" busy={busy}>
          Not now: remind me in a week
        </Button>
      </Form>
    </AuthPage>
  );
}
