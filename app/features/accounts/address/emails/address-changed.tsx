import { Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** The last letter about an account to the address that it had. */
export function AddressChanged({ greeting, newEmail }: { greeting: string; newEmail: string }) {
  return (
    <Letter
      preview="From now on you sign in with the new one."
      signature={site.coach.firstName}
      remark="If it was not you, answer this letter, so that I can help."
    >
      <Words>{greeting}</Words>
      <Words>
        The email address of your account at {site.name} is now {newEmail}. You sign in with it from
        now on, and letters about your courses go there. You confirmed it at both addresses.
      </Words>
      <Words>If the weekly letter comes to this address, it goes on coming here.</Words>
    </Letter>
  );
}
