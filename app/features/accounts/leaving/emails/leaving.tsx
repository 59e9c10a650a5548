import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** Sent when somebody has asked that her account be deleted. */
export function Leaving({ greeting, day, link }: { greeting: string; day: string; link: string }) {
  return (
    <Letter
      preview={`On ${day}. Until then you can keep it.`}
      signature={site.coach.firstName}
      remark="If it was not you, press the button and then choose another password: somebody knows yours."
    >
      <Words>{greeting}</Words>
      <Words>
        You asked me to delete your account at {site.name}. On {day} it goes, with everything you
        have written in your courses. Until then it stands still, and nothing is lost.
      </Words>
      <Words>If you change your mind, one press keeps it. If not, there is nothing to do.</Words>
      <Act href={link}>Keep my account</Act>
    </Letter>
  );
}
