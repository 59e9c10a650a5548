import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { useSite } from "~content/use-site.ts";

type LinkProps = { greeting: string; link: string };
type ChangeProps = { greeting: string; newEmail: string };

export function VerifyEmail({ greeting, link }: LinkProps) {
  const site = useSite();
  return (
    <EmailLayout
      preview="Please confirm your address, and you can begin."
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
export function AlreadyRegistered({ greeting, link }: LinkProps) {
  const site = useSite();
  return (
    <EmailLayout
      preview="You can sign in, or choose a new password."
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

export function ResetPassword({ greeting, link }: LinkProps) {
  return (
    <EmailLayout
      preview="A link to choose a new password."
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

export function ConfirmNewEmail({ greeting, link }: LinkProps) {
  const site = useSite();
  return (
    <EmailLayout
      preview="Please confirm that this address is yours."
      remark="If it was not you, please ignore this email. Without the confirmation nothing happens."
    >
      <Words>{greeting}</Words>
      <Words>
        You asked to use this address for your account at {site.name}. Please confirm that it is
        yours. I have sent an email to your current address too. The change is made once both are
        confirmed. The links work for a day.
      </Words>
      <Act href={link}>Confirm this address</Act>
    </EmailLayout>
  );
}

export function ConfirmOldEmail({ greeting, newEmail, link }: ChangeProps & LinkProps) {
  const site = useSite();
  return (
    <EmailLayout
      preview="It changes once you have confirmed it here and there."
      remark="If it was not you, do not press the button: then nothing changes. But somebody knows your password, so please choose another one."
    >
      <Words>{greeting}</Words>
      <Words>
        You asked for another email address for your account at {site.name}:
        <br />
        {newEmail}
      </Words>
      <Words>
        I have sent an email to that address too. The change is made once both are confirmed, in any
        order. The links work for a day.
      </Words>
      <Act href={link}>Confirm the change</Act>
    </EmailLayout>
  );
}

/** The last email to the previous address of an account. */
export function EmailChanged({ greeting, newEmail }: ChangeProps) {
  const site = useSite();
  return (
    <EmailLayout
      preview="From now on you sign in with the new one."
      remark="If it was not you, reply to this email, so that I can help."
    >
      <Words>{greeting}</Words>
      <Words>
        The email address of your account at {site.name} was changed. It is now:
        <br />
        {newEmail}
      </Words>
      <Words>
        You sign in with it from now on, and emails about your courses go there. The change was
        confirmed at both addresses.
      </Words>
      <Words>If you get the weekly newsletter at this address, it still comes here.</Words>
    </EmailLayout>
  );
}

/** Sent to the requested address of an email change if it already has an account. */
export function EmailTaken({ greeting, link }: LinkProps) {
  const site = useSite();
  return (
    <EmailLayout
      preview="Nothing has changed."
      remark="If it was not you, there is nothing to do. Nothing has changed."
    >
      <Words>{greeting}</Words>
      <Words>
        Somebody, probably you, asked to use this address for an account at {site.name}. It has an
        account here already, so it cannot be the address of another one. You can simply sign in
        with it. If you no longer want that account, sign in and delete it first.
      </Words>
      <Act href={link}>Sign in</Act>
    </EmailLayout>
  );
}
