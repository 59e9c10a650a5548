import { data, redirect } from "react-router";
import { NewsletterForm } from "~/features/newsletter/components/newsletter-form.tsx";
import { confirmTime } from "~/features/newsletter/messages.ts";
import { confirmState, confirmSubscription } from "~/features/newsletter/subscribers.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { Button } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-confirm.ts";

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";
const statuses = { open: 200, expired: 410, replaced: 410, outdated: 410, broken: 400 };

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const state = await confirmState(services, tokenOf(request));
  if (state === "done") throw redirect("/newsletter/confirmed");
  return data({ state, words: services.content.page("newsletter") }, statuses[state]);
}

/** Only a POST confirms: programs that open every link of an email confirm nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  const state = await confirmSubscription(servicesOf(context), tokenOf(request));
  // For an invalid link, the loader's page says why.
  return state === "open" || state === "done" ? redirect("/newsletter/confirmed", 303) : null;
}

export default function NewsletterConfirm({ loaderData: { state, words } }: Route.ComponentProps) {
  if (state !== "open")
    return (
      <MessagePage {...invalidLinks[state]}>
        <PageHead title={invalidLinks[state].title} noindex />
        <NewsletterForm id="page" source="newsletter" />
      </MessagePage>
    );
  return (
    <MessagePage title={words.confirmTitle} lead={words.confirmLead}>
      <PageHead title="Confirm the newsletter" noindex />
      <form method="post">
        <Button type="submit" size="lg">
          {words.confirmButton}
        </Button>
      </form>
      <p className="text-ink-soft">{words.confirmNote}</p>
    </MessagePage>
  );
}

// Why nothing was confirmed, above the form to begin again.
const invalidLinks = {
  expired: {
    title: "This link no longer works",
    lead: `The link in that email worked for ${confirmTime.words}. Sign up once more, and I’ll send you a new one.`,
  },
  replaced: {
    title: "This link no longer works",
    lead: "After another signup I sent you another email, and only the link in the newest one works. If you cannot find it, sign up once more.",
  },
  outdated: {
    title: "This link no longer works",
    lead: "You have unsubscribed since this email was sent, so its link does nothing anymore. If you want the newsletter after all, sign up once more.",
  },
  broken: {
    title: "This link does not work",
    lead: "It may have been cut off on its way to you. Try the button in the email again, or sign up once more and I’ll send you a new one.",
  },
} as const;
