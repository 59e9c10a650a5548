import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { site, unbroken } from "~content/site.ts";
import { invitationDays } from "../messages.ts";

/** Asks somebody who has no account yet into a course. */
export function Invitation(props: { greeting: string; course: string; link: string }) {
  const { greeting, course, link } = props;
  return (
    <EmailLayout
      preview={`You are invited to “${course}”.`}
      signature={site.coach.firstName}
      remark="You are getting this email because I typed your address. If it was meant for somebody else, or you would rather not, there is nothing to do: no account is made unless you press the button on that page."
    >
      <Words>{greeting}</Words>
      <Words>
        This is {site.coach.name}, from {unbroken(site.name)}. I would like to invite you to my
        online course “{course}”.
      </Words>
      <Words>
        The link below opens a page that asks for your name and a password. That makes your account,
        with this address, and takes you to the first lesson. There is no hurry: the link works for{" "}
        {invitationDays} days, and the course stays.
      </Words>
      <Act href={link}>Open my invitation</Act>
    </EmailLayout>
  );
}
