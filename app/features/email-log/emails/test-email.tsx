import { EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { useSite } from "~content/use-site.ts";

type Props = { greeting: string; when: string };

/** Sent to a coach who asks whether emails arrive. */
export function TestEmail({ greeting, when }: Props) {
  const site = useSite();
  return (
    <EmailLayout preview={`Emails of ${site.name} arrive.`}>
      <Words>{greeting}</Words>
      <Words>
        You asked for this test email on {when}. It has arrived, so the emails of {site.name} can be
        sent. There is nothing you have to do.
      </Words>
    </EmailLayout>
  );
}
