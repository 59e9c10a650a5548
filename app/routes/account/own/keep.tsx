import { data, Form, useNavigation } from "react-router";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { keepByLetter } from "~/features/accounts/leaving/commands.server.ts";
import { findKeeping } from "~/features/accounts/leaving/queries.server.ts";
import { leavingWords } from "~/features/accounts/leaving/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { asDocument, redirectWithToast } from "~/platform/http/flash.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { Route } from "./+types/keep.ts";

export const handle = { hydrate: true };

/** The page is one person's, and its address is a key. */
const headersOfPage = { "Cache-Control": "private, no-store" };
export const headers: Route.HeadersFunction = () => headersOfPage;

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const day = await findKeeping(servicesOf(context), tokenOf(url));
  return day === null ? data({ day }, 400) : { day };
}

export async function action({ context, url }: Route.ActionArgs) {
  // The page of the loader says what is wrong with the link.
  if (!(await keepByLetter(servicesOf(context), tokenOf(url)))) return data(null, 400);
  return asDocument(redirectWithToast("/auth", leavingWords.keptSignIn));
}

/** Also after a refusal: what the page says has changed since it was opened. */
export const shouldRevalidate = () => true;

export default function Keep({ loaderData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (loaderData.day === null)
    return (
      <Entry
        title="There is nothing to keep"
        subtitle="Either your account stays already, or its week is over and it is deleted."
        news
      >
        <PageHead title="There is nothing to keep" noindex />
        <p>
          <ButtonLink href="/auth" size="lg">
            Go to sign in
          </ButtonLink>
        </p>
      </Entry>
    );
  return (
    <Entry
      title="Keep your account?"
      subtitle={`It would be deleted on ${loaderData.day}. One press, and everything is as it was.`}
    >
      <PageHead title="Keep your account?" noindex />
      <Form method="post">
        <Button type="submit" size="lg" busy={busy} busyLabel="One moment...">
          Keep my account
        </Button>
      </Form>
    </Entry>
  );
}
