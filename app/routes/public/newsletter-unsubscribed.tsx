import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-unsubscribed.ts";

export const handle = { shared: true } satisfies RouteHandle;

export function loader({ context, url }: Route.LoaderArgs) {
  return pageWords({ context, url }, "newsletter");
}

export default function NewsletterUnsubscribed({ loaderData }: Route.ComponentProps) {
  const words = useWords(loaderData.words);
  return (
    <MessagePage title={words.leftTitle} lead={words.leftLead}>
      <PageHead title={words.leftTitle} noindex />
      <p>
        {words.leftText}
        <Pencil at="leftText" />
      </p>
      <p className="flex flex-wrap gap-3">
        <ButtonLink href="/newsletter" variant="outline">
          Subscribe again
        </ButtonLink>
        <ButtonLink href="/" variant="ghost">
          Go Home
        </ButtonLink>
      </p>
    </MessagePage>
  );
}
