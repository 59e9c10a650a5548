import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";

export const handle = { shared: true } satisfies RouteHandle;

export default function NewsletterUnsubscribed() {
  return (
    <MessagePage
      title="You’re off the list"
      lead="I won’t write to this address anymore. Nobody needs a reason for that."
    >
      <PageHead title="You’re off the list" noindex />
      <p>If it was a slip of the finger, or if you want to come back one day, the door is open.</p>
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
