import { SmallLink } from "~/ui/email/email-layout.tsx";
import { helpNow, site } from "~content/site.ts";

/** At the end of emails about lessons and from the coach; `href` is an address of `helpUrl`. */
export function HelpRemark({ href }: { href: string }) {
  return (
    <>
      {site.inDanger} <SmallLink href={href}>{helpNow.label}</SmallLink>
    </>
  );
}
