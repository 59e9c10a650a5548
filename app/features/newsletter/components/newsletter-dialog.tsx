import { Dialog } from "~/ui/dialog.tsx";
import { newsletterDialogId, newsletterSubtitle, newsletterTitle } from "../messages.ts";
import { NewsletterForm } from "./newsletter-form.tsx";

/** Opened by {@link SubscribeButton}; one in every page (spec 2, Newsletter dialog). */
export function NewsletterDialog() {
  return (
    <Dialog id={newsletterDialogId} title={newsletterTitle} description={newsletterSubtitle}>
      <NewsletterForm id="dialog" />
      <p className="mt-5 text-sm text-ink-soft">Weekly. Unsubscribe at any time.</p>
    </Dialog>
  );
}
