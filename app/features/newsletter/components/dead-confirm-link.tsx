import { deadLinks } from "../texts.ts";
import { NewsletterForm } from "./newsletter-form.tsx";
import { NewsletterPage } from "./newsletter-page.tsx";

/** Says why nothing was confirmed, with the form to begin again. */
export function DeadConfirmLink({ state }: { state: keyof typeof deadLinks }) {
  return (
    <NewsletterPage {...deadLinks[state]}>
      <NewsletterForm id="page" />
    </NewsletterPage>
  );
}
