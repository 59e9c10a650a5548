import { data, Form, useNavigation } from "react-router";
import { confirmAddress } from "~/features/accounts/address/commands.server.ts";
import { findLetter } from "~/features/accounts/address/queries.server.ts";
import { addressPath, addressWords } from "~/features/accounts/address/texts.ts";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { authPath } from "~/features/accounts/rules.ts";
import { accountPath } from "~/features/accounts/settings/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, sessionContext } from "~/platform/http/context.ts";
import { asDocument, redirectWithToast } from "~/platform/http/flash.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { Route } from "./+types/confirm-email.ts";

export const handle = { hydrate: true };

/** The page is one person's, and its address is a key. */
const headersOfPage = { "Cache-Control": "private, no-store" };
export const headers: Route.HeadersFunction = () => headersOfPage;

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer } = context.get(sessionContext);
  const asked = { token: tokenOf(url), viewerId: viewer?.id ?? null };
  const letter = await findLetter(servicesOf(context), asked);
  const back = url.pathname + url.search;
  return letter ? { letter, email: viewer?.email, back } : data({ letter: null, back }, 400);
}

/** Only a press confirms: programs that open every link of a letter confirm nothing (decisions/006). */
export async function action({ context, url }: Route.ActionArgs) {
  const { viewer, session } = context.get(sessionContext);
  const by = viewer && session ? { userId: viewer.id, sessionId: session.id } : null;
  const result = await confirmAddress(servicesOf(context), tokenOf(url), by);
  if (result === "taken") return data({ isTaken: true }, 409);
  // The page of the loader says what is wrong with the link, or which letter still waits.
  if (result !== "changed") return data({ isTaken: false }, result === "waits" ? 200 : 400);
  return asDocument(
    viewer
      ? redirectWithToast(accountPath, addressWords.changed)
      : redirectWithToast("/auth", addressWords.changedSignIn),
  );
}

/** Also after a refusal: what the page says has changed since it was opened. */
export const shouldRevalidate = () => true;

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  const { letter } = loaderData;
  if (actionData?.isTaken) return <Taken />;
  if (!letter) return <DeadLink />;
  if (letter.isElsewhere) return <SignInFirst {...loaderData} newEmail={letter.newEmail} />;
  if (letter.isDone) return <OtherWaits side={letter.side} />;
  const isNew = letter.side === "new";
  return (
    <Entry
      title={isNew ? "Confirm your new address" : "Change your address?"}
      subtitle={
        isNew
          ? `One press says that you read the letters to ${letter.newEmail}.`
          : `One press says that your account may have the address ${letter.newEmail}.`
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
    </Entry>
  );
}

/** Only she can want this address who has asked for it. */
function SignInFirst(props: { newEmail: string; email?: string | undefined; back: string }) {
  const { newEmail, email, back } = props;
  return (
    <Entry
      title="Is this your account?"
      subtitle={`Somebody who has an account here would like it to have the address ${newEmail}.`}
      news
    >
      <PageHead title="Is this your account?" noindex />
      {email ? (
        <p>
          You are signed in as <span className="break-words">{email}</span>, and it is another
          account that asked. If it is yours as well, sign out, and open the letter’s link again.
        </p>
      ) : (
        <>
          <p>If it was you, sign in with your address so far. Then this page comes back.</p>
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
    </Entry>
  );
}

function OtherWaits({ side }: { side: "old" | "new" }) {
  const other = side === "new" ? "your address so far" : "the new address";
  return (
    <Entry
      title="Thank you. One letter is left"
      subtitle={`This one is confirmed. Your address changes as soon as you confirm the letter to ${other}, too.`}
      news
    >
      <PageHead title="One letter is left" noindex />
      <p>
        <a href={addressPath}>See how it stands</a>
      </p>
    </Entry>
  );
}

function Taken() {
  return (
    <Entry
      title="This address has an account"
      subtitle="Somebody made one with it in the meantime. Your address stays as it is."
      news
    >
      <PageHead title="This address has an account" noindex />
      <p>
        <ButtonLink href={addressPath} size="lg">
          Choose another address
        </ButtonLink>
      </p>
    </Entry>
  );
}

function DeadLink() {
  return (
    <Entry
      title="This link no longer works"
      subtitle="It worked for a day, and only once. Either your address is changed already, or you can ask for the change again."
      news
    >
      <PageHead title="This link no longer works" noindex />
      <p>
        <ButtonLink href={addressPath} size="lg">
          See your address
        </ButtonLink>
      </p>
    </Entry>
  );
}
