import { Form, redirect, redirectDocument, useNavigation } from "react-router";
import { putOff } from "~/features/accounts/asking/commands.server.ts";
import { isAsked } from "~/features/accounts/asking/queries.server.ts";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { addAppPath, securityPath } from "~/features/accounts/factors/texts.ts";
import { authPath, safeDestination } from "~/features/accounts/rules.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, viewerOf } from "~/platform/http/context.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { Route } from "./+types/protect.ts";

export const handle = { hydrate: true };

const destinationOf = (url: URL) => safeDestination(url.searchParams.get("redirect"));

export async function loader({ context, url }: Route.LoaderArgs) {
  const destination = destinationOf(url);
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(destination));
  if (!(await isAsked(servicesOf(context), viewer.id))) throw redirectDocument(destination);
  return { destination };
}

export async function action({ context, url }: Route.ActionArgs) {
  const destination = destinationOf(url);
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(destination));
  await putOff(servicesOf(context), viewer.id);
  return redirectDocument(destination, 303);
}

export default function Protect({ loaderData: { destination } }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <Entry
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
    </Entry>
  );
}
