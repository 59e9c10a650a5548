import { MessagePage } from "~/ui/message-page.tsx";
import { confirmTime } from "../messages.ts";

import { NewsletterForm } from "./newsletter-form.tsx";

/** Says why nothing was confirmed, with the form to begin again. */
export function InvalidConfirmLink({ state }: { state: keyof typeof invalidConfirmLink }) {
  return (
    <MessagePage {...invalidConfirmLink[state]}>
      <NewsletterForm id="page" />
    </MessagePage>
  );
}

/** What is said of a confirmation link that confirms nothing. */
export const invalidConfirmLink = {
  expired: {
    title: "This link no longer works",
    lead: `The link in that email worked for ${confirmTime.words}. Sign up once more, and I’ll send you a new one.`,
  },
  replaced: {
    title: "This link no longer works",
    lead: "After another signup I sent you another email, and only the link in the newest one works. If you cannot find it, sign up once more.",
  },
  outdated: {
    title: "This link no longer works",
    lead: "You have unsubscribed since this email was sent, so its link does nothing anymore. If you want the newsletter after all, sign up once more.",
  },
  broken: {
    title: "This link does not work",
    lead: "It may have been cut off on its way to you. Try the button in the email again, or sign up once more and I’ll send you a new one.",
  },
} as const;
