import { data, redirect } from "react-router";
import { readUnsubscribeToken, unsubscribe } from "~/features/newsletter/subscribers.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { useSite } from "~content/use-site.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-unsubscribe.ts";

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

export function loader({ request, context }: Route.LoaderArgs) {
  const isOurs = readUnsubscribeToken(servicesOf(context), tokenOf(request)) !== null;
  const words = servicesOf(context).content.page("newsletter");
  return data({ isOurs, words }, isOurs ? 200 : 400);
}

/** Only a POST unsubscribes. One-click requests of email programs are answered in server/app.ts. */
export async function action({ request, context }: Route.ActionArgs) {
  const done = await unsubscribe(servicesOf(context), tokenOf(request));
  return done ? redirect("/newsletter/unsubscribed", 303) : null;
}

export default function NewsletterUnsubscribe({ loaderData }: Route.ComponentProps) {
  const { words } = loaderData;
  const site = useSite();
  if (!loaderData.isOurs)
    return (
      <MessagePage
        title="This link does not work"
        lead="It may have been cut off on its way to you."
      >
        <PageHead title="This link does not work" noindex />
        <p>
          Please use the link at the end of one of my letters. If that fails as well, write to{" "}
          <a href={`mailto:${site.email}`}>{site.email}</a>, and I’ll take you off the list by hand.
        </p>
      </MessagePage>
    );
  return (
    <MessagePage title={words.leaveTitle} lead={words.leaveLead}>
      <PageHead title="Unsubscribe" noindex />
      <form method="post" className="flex flex-wrap gap-3">
        <Button type="submit">{words.leaveButton}</Button>
        <ButtonLink href="/" variant="outline">
          {words.stayButton}
        </ButtonLink>
      </form>
    </MessagePage>
  );
}
