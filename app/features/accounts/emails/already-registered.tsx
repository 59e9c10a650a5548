import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** Sent when somebody signs up with an address that has a confirmed account. */
export function AlreadyRegistered({ greeting, link }: { greeting: string; link: string }) {
  return (
    <Letter
      preview="You can sign in, or choose a new password."
      signature={site.coach.firstName}
      remark="If it was not you, there is nothing to do. Nothing has changed."
    >
      <Words>{greeting}</Words>
      <Words>
        Somebody, probably you, just signed up at {site.name} with this address. You already have an
        account here. If you still know its password, you can simply sign in. If you do not, or if
        you never confirmed this address, choose a new one under “Forgot your password?”.
      </Words>
      <Act href={link}>Continue</Act>
    </Letter>
  );
}
