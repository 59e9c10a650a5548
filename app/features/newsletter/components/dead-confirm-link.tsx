import { LetterPage } from "~/ui/letter-page.tsx";
import { deadLinks } from "../links/texts.ts";
import { NewsletterForm } from "./newsletter-form.tsx";

/** Says why nothing was confirmed, with the form to begin again. */
export function DeadConfirmLink({ state }: { state: keyof typeof deadLinks }) {
  return (
    <LetterPage {...deadLinks[state]}>
      <NewsletterForm id="page" />
    </LetterPage>
  );
}
