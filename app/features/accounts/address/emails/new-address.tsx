import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** Sent to the new address when somebody asks for it. */
export function NewAddress({ greeting, link }: { greeting: string; link: string }) {
  return (
    <Letter
      preview="Please confirm that this address is yours."
      signature={site.coach.firstName}
      remark="If it was not you, please ignore this letter. Without the confirmation nothing happens."
    >
      <Words>{greeting}</Words>
      <Words>
        You asked to use this address for your account at {site.name}. Please confirm that it is
        yours. There is a letter at your address so far, too: it changes once both are confirmed.
        The links work for a day.
      </Words>
      <Act href={link}>Confirm this address</Act>
    </Letter>
  );
}
