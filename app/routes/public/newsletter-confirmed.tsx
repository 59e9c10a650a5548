import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";

export const handle = { shared: true } satisfies RouteHandle;

export default function NewsletterConfirmed() {
  return (
    <MessagePage
      title="You’re on the list"
      lead="Thank you for telling me. I’m glad you’re here."
      opened
    >
      <PageHead title="You’re on the list" noindex />
      <p>
        A short letter of welcome is on its way, and then one a week. There is nothing you have to
        do, and nothing to keep up with.
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
