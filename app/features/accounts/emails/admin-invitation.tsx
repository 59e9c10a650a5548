import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { unbroken } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";

/** Asks somebody to become an administrator: they may have no account yet. */
export function AdminInvitation({ greeting, link }: { greeting: string; link: string }) {
  const site = useSite();
  return (
    <EmailLayout
      preview={`You are invited to look after ${site.name}.`}
      signature={site.name}
      remark="You are getting this email because an administrator of the site typed your address. If it was meant for somebody else, there is nothing to do: nothing changes unless you press the button on that page."
    >
      <Words>{greeting}</Words>
      <Words>
        You are invited to be an administrator of {unbroken(site, site.name)}: to look after its
        courses, students and payments.
      </Words>
      <Words>
        The link below works once, for three days. If you have an account with this address, sign in
        with it. If not, the page asks for your name and a password, and makes it.
      </Words>
      <Act href={link}>Open the invitation</Act>
    </EmailLayout>
  );
}
