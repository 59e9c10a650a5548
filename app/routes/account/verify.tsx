import { data, Form, useNavigation } from "react-router";
import { verifyEmail } from "~/features/accounts/access/commands.server.ts";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { authPath, safeDestination } from "~/features/accounts/rules.ts";
import { messages } from "~/features/accounts/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { Route } from "./+types/verify.ts";

export const handle = { hydrate: true };

export function loader({ request }: Route.LoaderArgs) {
  return { back: authPath(safeDestination(new URL(request.url).searchParams.get("redirect"))) };
}

/** Only a press confirms: programs that open every link of a letter confirm nobody. */
export async function action({ request, context }: Route.ActionArgs) {
  const query = new URL(request.url).searchParams;
  const destination = safeDestination(query.get("redirect"));
  const result = await verifyEmail(
    servicesOf(context),
    callerOf(request, context.get(clientAddressContext)),
    query.get("token") ?? "",
  );
  if (!result.ok && result.reason === "link") return data({ deadLink: true }, 400);
  if (!result.ok) {
    const toast = { title: messages.verifyFailed, description: result.problem };
    const headers = flash(request, context, { ...toast, tone: "destructive" });
    return data({ deadLink: false }, { status: 400, headers });
  }
  const isSignedIn = result.setCookies.length > 0;
  const toast = isSignedIn ? messages.verified : messages.verifiedBefore;
  const to = isSignedIn ? destination : authPath(destination);
  return asDocument(redirectWithToast(to, { ...toast, tone: "success" }, result.setCookies));
}

export default function Verify({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (actionData?.deadLink)
    return (
      <Entry
        title={messages.deadLink}
        subtitle="Links work for a day. Sign in with your email and password, and you can have a new one."
        news
      >
        <PageHead title={messages.deadLink} noindex />
        <p>
          <ButtonLink href={loaderData.back} size="lg">
            Go to sign in
          </ButtonLink>
        </p>
      </Entry>
    );
  return (
    <Entry title="Confirm your address" subtitle="One press, and your account is ready.">
      <PageHead title="Confirm your address" noindex />
      <Form method="post">
        <Button type="submit" size="lg" busy={busy} busyLabel="Confirming...">
          Confirm my address
        </Button>
      </Form>
    </Entry>
  );
}
