import { Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** The last letter to somebody whose account is deleted. */
export function Deleted({ greeting }: { greeting: string }) {
  return (
    <Letter
      preview="It is done, as you asked."
      signature={site.coach.firstName}
      remark="If the weekly letter comes to this address, it goes on. Each one ends with a link that stops it."
    >
      <Words>{greeting}</Words>
      <Words>
        As you asked, your account at {site.name} is deleted, and with it what you had written in
        your courses. Nobody can bring it back, neither can I. If you ever bought a course, the
        record of the payment stays as long as the law asks for it, without your name.
      </Words>
      <Words>I wish you well. You are welcome here again at any time.</Words>
    </Letter>
  );
}
