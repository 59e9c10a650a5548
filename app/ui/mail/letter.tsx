import { Body, Container, Head, Html, Link, Preview, Text } from "@react-email/components";
import type { ReactNode } from "react";

// Mail programs know neither our fonts nor custom properties: plain values, light
// by default, and a media query for those that have a dark mode.
const darkMode = `
@media (prefers-color-scheme: dark) {
  .page, .page td, .sheet { background-color: #12181F !important; }
  .words { color: #ECE7DD !important; }
  .small { color: #A9B4BF !important; }
  .link { color: #7FB2EA !important; }
  .act { background-color: #7FB2EA !important; color: #12181F !important; }
}`;

const serif = "Georgia, 'Times New Roman', serif";
const sans = "Figtree, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";

/** A letter in the site's voice: one column, one dot, a signature, nothing that loads from outside. */
export function Letter(props: {
  preview: string;
  signature: string;
  /** What stands below the signature. */
  remark: ReactNode;
  children: ReactNode;
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkMode}</style>
      </Head>
      <Preview>{props.preview}</Preview>
      <Body
        className="page"
        style={{ backgroundColor: "#FBF8F3", margin: 0, padding: "32px 16px" }}
      >
        <Container className="sheet" style={{ maxWidth: "560px", margin: "0 auto" }}>
          <Text
            className="link"
            aria-hidden="true"
            data-skip-in-text
            style={{ color: "#2463A8", fontSize: "28px", lineHeight: "28px", margin: "0 0 24px" }}
          >
            ●
          </Text>
          {props.children}
          <Words>{props.signature}</Words>
          <SmallWords>{props.remark}</SmallWords>
        </Container>
      </Body>
    </Html>
  );
}

/** A paragraph of a letter. */
export function Words({ children }: { children: ReactNode }) {
  return (
    <Text
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
    </Text>
  );
}

/** A remark, smaller and in another face. */
function SmallWords({ children }: { children: ReactNode }) {
  return (
    <Text
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
    </Text>
  );
}

/** A link within a remark. */
export function SmallLink({ href, children }: { href: string; children: string }) {
  return (
    <Link className="link" href={href} style={{ color: "#2463A8", textDecoration: "underline" }}>
      {children}
    </Link>
  );
}

/** The one thing to do, as a button; below it the bare address, for those whose button does nothing. */
export function Act({ href, children }: { href: string; children: string }) {
  return (
    <>
      <Text style={{ margin: "28px 0 18px" }}>
        <Link
          className="act"
          href={href}
          style={{
            backgroundColor: "#2463A8",
            borderRadius: "10px",
            color: "#FFFFFF",
            display: "inline-block",
            fontFamily: sans,
            fontSize: "17px",
            fontWeight: 600,
            padding: "14px 24px",
            textDecoration: "none",
          }}
        >
          {children}
        </Link>
      </Text>
      <div data-skip-in-text>
        <SmallWords>
          If the button does nothing, copy this address into your browser:
          <br />
          <Link className="link" href={href} style={{ color: "#2463A8", wordBreak: "break-all" }}>
            {href}
          </Link>
        </SmallWords>
      </div>
    </>
  );
}
