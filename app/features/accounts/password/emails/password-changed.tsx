import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** Sent when somebody has changed her password on the site. */
export function PasswordChanged({ greeting, link }: { greeting: string; link: string }) {
  return (
    <Letter
      preview="If it was you, there is nothing to do."
      signature={site.coach.firstName}
      remark="If it was you, there is nothing to do."
    >
      <Words>{greeting}</Words>
      <Words>
        The password of your account at {site.name} was changed just now. Every other device on
        which you were signed in has been signed out.
      </Words>
      <Words>
        If it was not you, choose another password at once, and answer this letter, so that I know.
      </Words>
      <Act href={link}>Choose another password</Act>
    </Letter>
  );
}
