import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-confirmed.ts";

export const handle = { shared: true } satisfies RouteHandle;

export function loader({ context, url }: Route.LoaderArgs) {
  return pageWords({ context, url }, "newsletter");
}

export default function NewsletterConfirmed({ loaderData }: Route.ComponentProps) {
  const words = useWords(loaderData.words);
  return (
    <MessagePage title={words.confirmedTitle} lead={words.confirmedLead} opened>
      <PageHead title={words.confirmedTitle} noindex />
      <p>
        {words.confirmedText}
        <Pencil at="confirmedText" />
      </p>
      <p className="flex flex-wrap gap-3">
        <ButtonLink href="/">Go Home</ButtonLink>
        <ButtonLink href="/courses" variant="outline">
          View Courses
        </ButtonLink>
      </p>
    </MessagePage>
  );
}
