import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site, unbroken } from "~content/site.ts";
import { invitationDays } from "../texts.ts";

/** Asks somebody who has no account yet into a course. */
export function Invitation(props: { greeting: string; course: string; link: string }) {
  const { greeting, course, link } = props;
  return (
    <Letter
      preview={`A place in “${course}” is kept for you.`}
      signature={site.coach.firstName}
      remark="You have this letter because I typed your address. If it was meant for somebody else, or you would rather not, there is nothing to do: no account is made unless you press the button on that page."
    >
      <Words>{greeting}</Words>
      <Words>
        This is {site.coach.name}, from {unbroken(site.name)}. I have kept a place for you in my
        online course “{course}”.
      </Words>
      <Words>
        The link below opens a page that asks for your name and a password. That makes your account,
        with this address, and takes you to the first lesson. There is no hurry: the link works for{" "}
        {invitationDays} days, and the course stays.
      </Words>
      <Act href={link}>Open my invitation</Act>
    </Letter>
  );
}
