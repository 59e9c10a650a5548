import { data, redirect } from "react-router";
import { DeadConfirmLink } from "~/features/newsletter/components/dead-confirm-link.tsx";
import { deadLinks } from "~/features/newsletter/links/texts.ts";
import { confirmSubscription } from "~/features/newsletter/list/commands.server.ts";
import { confirmState } from "~/features/newsletter/list/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { Button } from "~/ui/button.tsx";
import { LetterPage } from "~/ui/letter-page.tsx";
import type { Route } from "./+types/confirm.ts";

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";
const statuses = { open: 200, expired: 410, replaced: 410, outdated: 410, broken: 400 };

export async function loader({ request, context }: Route.LoaderArgs) {
  const state = await confirmState(servicesOf(context), tokenOf(request));
  if (state === "done") throw redirect("/newsletter/confirmed");
  return data({ state }, statuses[state]);
}

/** Only a press confirms: programs that open every link of a letter confirm nobody. */
export async function action({ request, context }: Route.ActionArgs) {
  const state = await confirmSubscription(servicesOf(context), tokenOf(request));
  // A link that is no good gets the page of the loader, which says why.
  return state === "open" || state === "done" ? redirect("/newsletter/confirmed", 303) : null;
}

export default function NewsletterConfirm({ loaderData: { state } }: Route.ComponentProps) {
  if (state !== "open")
    return (
      <>
        <PageHead title={deadLinks[state].title} noindex />
        <DeadConfirmLink state={state} />
      </>
    );
  return (
    <LetterPage title="Shall I write to you?" lead="Once a week, until you tell me to stop.">
      <PageHead title="Confirm the newsletter" noindex />
      <form method="post">
        <Button type="submit" size="lg">
          Yes, send me the letters
        </Button>
      </form>
      <p className="text-ink-soft">
        If somebody else typed your address, just close this page. Nothing happens until the button
        is pressed.
      </p>
    </LetterPage>
  );
}
