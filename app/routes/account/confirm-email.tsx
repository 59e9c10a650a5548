import { data, Form, useNavigation } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { confirmEmailChange, findEmailChangeLink } from "~/features/auth/email-change.server.ts";
import { accountPath, emailChangeMessages, emailChangePath } from "~/features/auth/messages.ts";
import { authPath } from "~/features/auth/rules.ts";
import { servicesOf, sessionContext } from "~/platform/http/context.ts";
import { asDocument, redirectWithToast } from "~/platform/http/flash.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { AnswerPage } from "../answer-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/confirm-email.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

export const headers = () => ({ "Cache-Control": "private, no-store" });

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer } = context.get(sessionContext);
  const asked = { token: tokenOf(url), viewerId: viewer?.id ?? null };
  const change = await findEmailChangeLink(servicesOf(context), asked);
  const back = url.pathname + url.search;
  return change ? { change, email: viewer?.email, back } : data({ change: null, back }, 400);
}

/** Only a POST confirms: programs that open all links of an email do nothing (decisions/006). */
export async function action({ context, url }: Route.ActionArgs) {
  const { viewer, session } = context.get(sessionContext);
  const by = viewer && session ? { userId: viewer.id, sessionId: session.id } : null;
  const result = await confirmEmailChange(servicesOf(context), tokenOf(url), by);
  if (result === "taken") return data({ isTaken: true }, 409);
  // The loader's page says what is wrong with the link, or which email is not confirmed yet.
  if (result !== "changed") return data({ isTaken: false }, result === "waits" ? 200 : 400);
  return asDocument(
    viewer
      ? redirectWithToast(accountPath, emailChangeMessages.changed)
      : redirectWithToast("/auth", emailChangeMessages.changedSignIn),
  );
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  const { change } = loaderData;
  if (actionData?.isTaken) return <Taken />;
  if (!change) return <InvalidLink />;
  if (change.isElsewhere) return <SignInFirst {...loaderData} newEmail={change.newEmail} />;
  if (change.isDone) return <OtherWaits side={change.side} />;
  const isNew = change.side === "new";
  return (
    <AuthPage
      title={isNew ? "Confirm your new address" : "Change your address?"}
      subtitle={
        isNew
          ? `Please confirm that you read the emails to ${change.newEmail}.`
          : `Please confirm that your account may have the address ${change.newEmail}.`
      }
    >
      <PageHead title={isNew ? "Confirm your new address" : "Change your address?"} noindex />
      <Form method="post">
        <Button type="submit" size="lg" busy={busy} busyLabel="Confirming...">
          {isNew ? "Confirm this address" : "Confirm the change"}
        </Button>
      </Form>
      {!isNew && (
        <p className="text-ink-soft">
          If it was not you who asked, do not press. Nothing changes then.
        </p>
      )}
    </AuthPage>
  );
}

// Only the account that requested the new email can confirm it.
function SignInFirst(props: { newEmail: string; email?: string | undefined; back: string }) {
  const { newEmail, email, back } = props;
  return (
    <AuthPage
      title="Is this your account?"
      subtitle={`Somebody who has an account here would like it to have the address ${newEmail}.`}
      news
    >
      <PageHead title="Is this your account?" noindex />
      {email ? (
        <p>
          You are signed in as <span className="break-words">{email}</span>, and another account
          asked for this. If it is yours as well, sign out and open the link in the email again.
        </p>
      ) : (
        <>
          <p>If it was you, sign in with your current address. Then this page comes back.</p>
          <p>
            <ButtonLink href={authPath(back)} size="lg">
              Sign in
            </ButtonLink>
          </p>
        </>
      )}
      <p className="text-ink-soft">
        If you did not ask for it, there is nothing to do: nobody gets your address.
      </p>
    </AuthPage>
  );
}

function OtherWaits({ side }: { side: "old" | "new" }) {
  const other = side === "new" ? "your current address" : "the new address";
  return (
    <AuthPage
      title="Thank you. One email is left"
      subtitle={`This address is confirmed. Yours changes as soon as you confirm the email to ${other}, too.`}
      news
    >
      <PageHead title="One email is left" noindex />
      <p>
        <a href={emailChangePath}>See how it stands</a>
      </p>
    </AuthPage>
  );
}

function Taken() {
  return (
    <AnswerPage
      title="This address has an account"
      subtitle="Somebody made one with it in the meantime. Your address stays as it is."
      href={emailChangePath}
      action="Choose another address"
    />
  );
}

function InvalidLink() {
  return (
    <AnswerPage
      title="This link no longer works"
      subtitle="It worked for a day, and only once. Either your address is changed already, or you can ask for the change again."
      href={emailChangePath}
      action="See your address"
    />
  );
}
