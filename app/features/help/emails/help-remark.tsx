import { SmallLink } from "~/ui/email/email-layout.tsx";
import { helpNow } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";

/** At the end of emails about lessons and from the coach; `href` is an address of `helpUrl`. */
export function HelpRemark({ href }: { href: string }) {
  const site = useSite();
  return (
    <>
      {site.inDanger} <SmallLink href={href}>{helpNow.label}</SmallLink>
    </>
  );
}
