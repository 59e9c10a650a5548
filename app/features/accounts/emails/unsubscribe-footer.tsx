import { SmallLink } from "~/ui/email/email-layout.tsx";
import { type EmailKind, emailKindMessages } from "../messages.ts";
import type { UnsubscribeLinks } from "../rules.ts";

export function UnsubscribeFooter({ kind, links }: { kind: EmailKind; links: UnsubscribeLinks }) {
  return (
    <>
      {emailKindMessages[kind].why} You can{" "}
      <SmallLink href={links.off}>stop these emails</SmallLink> or{" "}
      <SmallLink href={links.preferences}>choose which ones you get</SmallLink> at any time.
    </>
  );
}
