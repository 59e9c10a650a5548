import { UnsubscribeFooter } from "~/features/accounts/emails/unsubscribe-footer.tsx";
import type { UnsubscribeLinks } from "~/features/accounts/rules.ts";
import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { unbroken } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";
import { invitationDays } from "../messages.ts";
import type { EnrollmentWay } from "../schema.ts";

type Props = { greeting: string; course: string; link: string };

/** Asks somebody who has no account yet into a course. */
export function Invitation({ greeting, course, link }: Props) {
  const site = useSite();
  return (
    <EmailLayout
      preview={`You are invited to “${course}”.`}
      remark="You are getting this email because I typed your address. If it was meant for somebody else, or you would rather not, there is nothing to do: no account is made unless you press the button on that page."
    >
      <Words>{greeting}</Words>
      <Words>
        This is {site.coachName}, from {unbroken(site, site.name)}. I would like to invite you to my
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

type NewStudentProps = {
  greeting: string;
  who: string;
  course: string;
  way: EnrollmentWay;
  link: string;
  links: UnsubscribeLinks;
};

const ways = {
  manual: "enrolled by hand",
  invitation: "accepted an invitation",
  free: "enrolled, the course is free",
} as const;

/** To the coach: somebody is enrolled without a payment. */
export function NewStudent({ greeting, who, course, way, link, links }: NewStudentProps) {
  const site = useSite();
  return (
    <EmailLayout
      preview={`${who}: ${ways[way]}.`}
      signature={site.name}
      foot={<UnsubscribeFooter kind="sale" links={links} />}
    >
      <Words>{greeting}</Words>
      <Words>“{course}” has a new student.</Words>
      <Words>
        Student: {who}
        <br />
        Course: {course}
        <br />
        How: {ways[way]}
      </Words>
      <Act href={link}>Open the student’s page</Act>
    </EmailLayout>
  );
}

/** After an enrollment, bought or given; `opening` says what is open and when the rest opens. */
export function CourseWelcome({ greeting, course, opening, link }: Props & { opening: string }) {
  const site = useSite();
  return (
    <EmailLayout
      preview="How you get in, and what is open."
      remark={`You are getting this email because you are enrolled in this course. If that is a mistake, write to ${site.email} and tell me.`}
    >
      <Words>{greeting}</Words>
      <Words>You are enrolled in “{course}”, for as long as you want it.</Words>
      <Words>{opening} What has opened does not close again.</Words>
      <Words>
        Nothing has to happen today. You can look around, read one lesson and close it, or leave it
        for a better week.
      </Words>
      <Act href={link}>Open the course</Act>
      <Words>
        If the page asks you to sign in, use this email address and your password. If you no longer
        know it, “Forgot your password?” on the same page sends you a link to choose a new one.
      </Words>
    </EmailLayout>
  );
}
