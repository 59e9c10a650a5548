import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** Sent to an address that somebody wants for her account and that has one of its own. */
export function AddressTaken({ greeting, link }: { greeting: string; link: string }) {
  return (
    <Letter
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
    </Letter>
  );
}
