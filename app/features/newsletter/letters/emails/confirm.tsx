import { Act, Letter, SmallLink, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";
import { confirmTime } from "../../texts.ts";

type Props = { greeting: string; link: string; unsubscribe: string };

/** Asks whether the owner of the address wants the letters (double opt-in). */
export function Confirm({ greeting, link, unsubscribe }: Props) {
  return (
    <Letter
      preview="Please tell me that it was you."
      signature={site.coach.firstName}
      remark={
        <>
          If it was not you, there is nothing to do: without your confirmation I will not write. Or{" "}
          <SmallLink href={unsubscribe}>tell me to leave this address alone</SmallLink> at any time.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        Somebody, probably you, asked for my weekly letter with this address. Before I write, I want
        to be sure that it was you.
      </Words>
      <Act href={link}>Confirm my address</Act>
      <Words>
        There is no hurry. The link works for {confirmTime.words}, and after that you can simply
        sign up again.
      </Words>
    </Letter>
  );
}
