import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import type { ComponentProps } from "react";
import { Fragment } from "react";
import { jsx, jsxs } from "react/jsx-runtime";
import { EmailButton, EmailLayout, SmallLink, Words } from "~/ui/email/email-layout.tsx";
import { emailElements } from "~/ui/email/prose.tsx";
import { useSite } from "~content/use-site.ts";

type Tree = Parameters<typeof toJsxRuntime>[0];

export type IssueLinks = {
  unsubscribe: string;
  /** Where it can be had once a month, or not for a while. */
  frequency: string;
  /** The issue's page in the archive; null where it is not in it. */
  online: string | null;
};

type Props = { preview: string; greeting: string; tree: object; links: IssueLinks };

/** A link, or a button where the text says so (platform/markdown, `buttonTitle`). */
function IssueLink({ title, href = "", children }: ComponentProps<"a">) {
  if (title === "button") return <EmailButton href={href}>{children}</EmailButton>;
  return <SmallLink href={href}>{children}</SmallLink>;
}

/** Programs that show no pictures show what it says; Outlook reads the size from the attributes. */
function IssuePicture({ src, alt, width, height }: ComponentProps<"img">) {
  const style = { display: "block", maxWidth: "100%", height: "auto", border: 0 };
  return <img src={src} alt={alt} width={width} height={height} style={style} />;
}

/** An issue of the newsletter, as a reader gets it. */
export function NewsletterIssue({ preview, greeting, tree, links }: Props) {
  const site = useSite();
  const components = { ...emailElements, a: IssueLink, img: IssuePicture };
  return (
    <EmailLayout
      preview={preview}
      remark={
        <>
          You get this email because you asked for my newsletter and confirmed it.{" "}
          <SmallLink href={links.unsubscribe}>Unsubscribe</SmallLink>
          {"\u00a0· "}
          <SmallLink href={links.frequency}>Get fewer</SmallLink>
          {links.online && (
            <>
              {"\u00a0· "}
              <SmallLink href={links.online}>Read it on the site</SmallLink>
            </>
          )}
        </>
      }
      foot={
        <>
          {site.name}
          {site.postalAddress.trim() && (
            <>
              <br />
              {site.postalAddress}
            </>
          )}
        </>
      }
    >
      <Words>{greeting}</Words>
      {toJsxRuntime(tree as Tree, { Fragment, jsx, jsxs, components })}
    </EmailLayout>
  );
}
