import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { site } from "~content/site.ts";

/** Sent to the new address of an email change. */
export function ConfirmNewEmail({ greeting, link }: { greeting: string; link: string }) {
  return (
    <EmailLayout
      preview="Please confirm that this address is yours."
      signature={site.coach.firstName}
      remark="If it was not you, please ignore this email. Without the confirmation nothing happens."
    >
      <Words>{greeting}</Words>
      <Words>
        You asked to use this address for your account at {site.name}. Please confirm that it is
        yours. We sent an email to your current address, too: it changes once both are confirmed.
        The links work for a day.
      </Words>
      <Act href={link}>Confirm this address</Act>
    </EmailLayout>
  );
}

type Props = { greeting: string; newEmail: string; link: string };

/** Sent to the current address of an email change. */
export function ConfirmOldEmail({ greeting, newEmail, link }: Props) {
  return (
    <EmailLayout
      preview="It changes once you have confirmed it here and there."
      signature={site.coach.firstName}
      remark="If it was not you, do not press. Nothing changes then. But somebody knows your password: please choose another one."
    >
      <Words>{greeting}</Words>
      <Words>
        You asked for another email address for your account at {site.name}: {newEmail}. I have sent
        an email to that address too. Once both are confirmed, in any order, the address changes.
        The links work for a day.
      </Words>
      <Act href={link}>Confirm the change</Act>
    </EmailLayout>
  );
}

/** The last email to the previous address of an account. */
export function EmailChanged({ greeting, newEmail }: { greeting: string; newEmail: string }) {
  return (
    <EmailLayout
      preview="From now on you sign in with the new one."
      signature={site.coach.firstName}
      remark="If it was not you, reply to this email, so that I can help."
    >
      <Words>{greeting}</Words>
      <Words>
        The email address of your account at {site.name} is now {newEmail}. You sign in with it from
        now on, and emails about your courses go there. You confirmed it at both addresses.
      </Words>
      <Words>If you get the weekly newsletter at this address, it still comes here.</Words>
    </EmailLayout>
  );
}

/** Sent to the requested address of an email change if it already has an account. */
export function EmailTaken({ greeting, link }: { greeting: string; link: string }) {
  return (
    <EmailLayout
      preview="Nothing has changed."
      signature={site.coach.firstName}
      remark="If it was not you, there is nothing to do. Nothing has changed."
    >
      <Words>{greeting}</Words>
      <Words>
        Somebody, probably you, asked to use this address for an account at {site.name}. It has an
        account here already, so it cannot be the address of another one. You can simply sign in
        with it. If you want that account gone first, you can delete it on its own pages.
      </Words>
      <Act href={link}>Sign in</Act>
    </EmailLayout>
  );
}
