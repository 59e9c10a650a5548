import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { site } from "~content/site.ts";

export function VerifyEmail({ greeting, link }: { greeting: string; link: string }) {
  return (
    <EmailLayout
      preview="Please confirm your address, and you can begin."
      signature={site.coach.firstName}
      remark="If it was not you, please ignore this email. Without the confirmation nothing happens."
    >
      <Words>{greeting}</Words>
      <Words>
        You made an account at {site.name}. Please confirm that this address is yours, and you can
        begin. There is no hurry: the link works for a day, and you can ask for another.
      </Words>
      <Act href={link}>Confirm my address</Act>
    </EmailLayout>
  );
}

/** Sent on a sign-up with an address that has a confirmed account. */
export function AlreadyRegistered({ greeting, link }: { greeting: string; link: string }) {
  return (
    <EmailLayout
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
    </EmailLayout>
  );
}

export function ResetPassword({ greeting, link }: { greeting: string; link: string }) {
  return (
    <EmailLayout
      preview="A link to choose a new password."
      signature={site.coach.firstName}
      remark="If it was not you who asked, please ignore this email. Your password stays as it is."
    >
      <Words>{greeting}</Words>
      <Words>
        Forgetting passwords is one of the small things grief does. Here is a link to choose a new
        one. It works for an hour.
      </Words>
      <Act href={link}>Choose a new password</Act>
    </EmailLayout>
  );
}
