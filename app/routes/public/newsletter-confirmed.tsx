import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-confirmed.ts";

export const handle = { shared: true } satisfies RouteHandle;

export function loader({ context }: Route.LoaderArgs) {
  return servicesOf(context).content.page("newsletter");
}

export default function NewsletterConfirmed({ loaderData: words }: Route.ComponentProps) {
  return (
    <MessagePage title={words.confirmedTitle} lead={words.confirmedLead} opened>
      <PageHead title={words.confirmedTitle} noindex />
      <p>{words.confirmedText}</p>
      <p className="flex flex-wrap gap-3">
        <ButtonLink href="/">Go Home</ButtonLink>
        <ButtonLink href="/courses" variant="outline">
          View Courses
        </ButtonLink>
      </p>
    </MessagePage>
  );
}
