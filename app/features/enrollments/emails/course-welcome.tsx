import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { site } from "~content/site.ts";

type Props = {
  greeting: string;
  course: string;
  /** What is open, and when the rest opens. */
  opening: string;
  /** The lessons of the course. */
  link: string;
};

/** After an enrollment, whether it was bought or given. */
export function CourseWelcome({ greeting, course, opening, link }: Props) {
  return (
    <EmailLayout
      preview="How you get in, and what is open."
      signature={site.coach.firstName}
      remark={`You are getting this email because you are enrolled in this course. If that is a mistake, write to ${site.email}.`}
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
