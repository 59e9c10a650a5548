import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** What has happened, by where: on the site by somebody signed in, or with the link of a letter. */
export const passwordChanged = {
  account: {
    subject: "Your password was changed",
    sentence: `The password of your account at ${site.name} was changed just now. Every other device on which you were signed in has been signed out.`,
  },
  letter: {
    subject: "A new password was chosen",
    sentence: `A new password was chosen for your account at ${site.name} just now, with the link of a letter to you. You have been signed out everywhere, and can sign in with the new one.`,
  },
} as const;

type Props = { greeting: string; way: keyof typeof passwordChanged; link: string };

/** Sent when somebody has changed her password. */
export function PasswordChanged({ greeting, way, link }: Props) {
  return (
    <Letter
      preview="If it was you, there is nothing to do."
      signature={site.coach.firstName}
      remark="If it was you, there is nothing to do."
    >
      <Words>{greeting}</Words>
      <Words>{passwordChanged[way].sentence}</Words>
      <Words>
        If it was not you, choose another password at once, and answer this letter, so that I know.
      </Words>
      <Act href={link}>Choose another password</Act>
    </Letter>
  );
}
