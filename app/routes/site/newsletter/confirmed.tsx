import { PageHead } from "~/page-head.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { LetterPage } from "~/ui/letter-page.tsx";

export const handle = { shared: true };

export default function NewsletterConfirmed() {
  return (
    <LetterPage
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
    </LetterPage>
  );
}
