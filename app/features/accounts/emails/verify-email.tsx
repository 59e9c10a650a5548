import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** Sent after signing up, and again on request. */
export function VerifyEmail({ greeting, link }: { greeting: string; link: string }) {
  return (
    <Letter
      preview="Please confirm your address, and you can begin."
      signature={site.coach.firstName}
      remark="If it was not you, please ignore this letter. Without the confirmation nothing happens."
    >
      <Words>{greeting}</Words>
      <Words>
        You made an account at {site.name}. Please confirm that this address is yours, and you can
        begin. There is no hurry: the link works for a day, and you can ask for another.
      </Words>
      <Act href={link}>Confirm my address</Act>
    </Letter>
  );
}
