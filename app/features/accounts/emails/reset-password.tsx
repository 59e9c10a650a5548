import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** Sent when somebody asks for a new password. */
export function ResetPassword({ greeting, link }: { greeting: string; link: string }) {
  return (
    <Letter
      preview="A link to choose a new password."
      signature={site.coach.firstName}
      remark="If it was not you who asked, please ignore this letter. Your password stays as it is."
    >
      <Words>{greeting}</Words>
      <Words>
        Forgetting passwords is one of the small things grief does. Here is a link to choose a new
        one. It works for an hour.
      </Words>
      <Act href={link}>Choose a new password</Act>
    </Letter>
  );
}
