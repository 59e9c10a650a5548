import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

type Props = { greeting: string; newEmail: string; link: string };

/** Sent to the address so far when its owner asks for another one. */
export function OldAddress({ greeting, newEmail, link }: Props) {
  return (
    <Letter
      preview="It changes once you have confirmed it here and there."
      signature={site.coach.firstName}
      remark="If it was not you, do not press. Nothing changes then. But somebody knows your password: please choose another one."
    >
      <Words>{greeting}</Words>
      <Words>
        You asked for another email address for your account at {site.name}: {newEmail}. I have
        written to that address too. Once both letters are confirmed, in any order, the address
        changes. The links work for a day.
      </Words>
      <Act href={link}>Confirm the change</Act>
    </Letter>
  );
}
