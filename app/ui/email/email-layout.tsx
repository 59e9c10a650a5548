import type { ReactNode } from "react";
import { EmailAnchor, EmailBody, EmailButton, EmailContainer } from "./elements.tsx";

// Mail programs know neither our fonts nor custom properties: plain values, light
// by default, and a media query for those that have a dark mode. Others turn the colours round
// themselves: each text has its own colour and each ground is said, so that they turn together.
const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
.words, .small { text-wrap: pretty; }
@media (prefers-color-scheme: dark) {
  .page, .page td, .sheet { background-color: #12181F !important; }
  .words { color: #ECE7DD !important; }
  .small { color: #A9B4BF !important; }
  .line { border-color: #2A3540 !important; }
  .link { color: #7FB2EA !important; }
  .act { background-color: #7FB2EA !important; color: #12181F !important; }
}`;

/** In whatever the reader's machine has. */
export const serif = "Georgia, 'Times New Roman', serif";
const sans = "Figtree, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";

/** What phones make links of by themselves looks like something to do, and is not. */
const noLinksOfTheirOwn = "telephone=no, date=no, address=no, email=no, url=no";

/** An email in the site's voice: one column, one dot, a signature, nothing that loads from outside. */
export function EmailLayout(props: {
  /** The sentence beside the subject in a list of emails; also what the document is called. */
  preview: string;
  signature: string;
  /** What stands below the signature. */
  remark?: ReactNode;
  /** At the very end: how to have fewer emails. */
  foot?: ReactNode;
  children: ReactNode;
}) {
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>{props.preview}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content={noLinksOfTheirOwn} />
        <style>{styles}</style>
      </head>
      <EmailBody className="page" background="#FBF8F3" padding="32px 16px" preview={props.preview}>
        <EmailContainer
          className="sheet"
          style={{ backgroundColor: "#FBF8F3", maxWidth: "560px", margin: "0 auto" }}
        >
          <p
            className="link"
            aria-hidden="true"
            data-skip-in-text
            style={{ color: "#2463A8", fontSize: "28px", lineHeight: "28px", margin: "0 0 24px" }}
          >
            ●
          </p>
          {props.children}
          <Words>{props.signature}</Words>
          <div data-skip-in-text style={{ height: "14px" }} />
          {props.remark && <SmallWords>{props.remark}</SmallWords>}
          {props.foot && <SmallWords>{props.foot}</SmallWords>}
        </EmailContainer>
      </EmailBody>
    </html>
  );
}

/** A paragraph of an email. */
export function Words({ children }: { children: ReactNode }) {
  return (
    <p
      className="words"
      style={{
        color: "#1F2A35",
        fontFamily: serif,
        fontSize: "18px",
        lineHeight: "29px",
        margin: "0 0 18px",
      }}
    >
      {children}
    </p>
  );
}

/** A remark, smaller and in another face. */
export function SmallWords({ children }: { children: ReactNode }) {
  return (
    <p
      className="small"
      style={{
        color: "#52606D",
        fontFamily: sans,
        fontSize: "14px",
        lineHeight: "22px",
        margin: "0 0 14px",
      }}
    >
      {children}
    </p>
  );
}

/** A link within a remark. */
export function SmallLink({ href, children }: { href: string; children: string }) {
  return (
    <EmailAnchor
      className="link"
      href={href}
      style={{ color: "#2463A8", textDecoration: "underline" }}
    >
      {children}
    </EmailAnchor>
  );
}

/** The one thing to do, as a button; below it the bare address, for those whose button does nothing. */
export function Act({ href, children }: { href: string; children: string }) {
  return (
    <>
      <p style={{ fontSize: "14px", lineHeight: "24px", margin: "28px 0 18px" }}>
        <EmailButton
          className="act"
          href={href}
          style={{
            backgroundColor: "#2463A8",
            borderRadius: "10px",
            color: "#FFFFFF",
            fontFamily: sans,
            fontSize: "17px",
            fontWeight: 600,
            lineHeight: "24px",
          }}
        >
          {children}
        </EmailButton>
      </p>
      <div data-skip-in-text style={{ paddingBottom: "10px" }}>
        <SmallWords>
          If the button does nothing, copy this address into your browser:
          <br />
          {/* At its slashes where it can, anywhere where it must. */}
          <EmailAnchor
            className="link"
            href={href}
            style={{ color: "#2463A8", textDecoration: "none", wordBreak: "break-word" }}
          >
            {href}
          </EmailAnchor>
        </SmallWords>
      </div>
    </>
  );
}
