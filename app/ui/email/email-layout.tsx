import type { ComponentProps, CSSProperties, ReactNode } from "react";
import { useSite } from "~content/use-site.ts";

// Mail programs know neither our fonts nor custom properties, and lay out by tables: plain values,
// light by default, and a media query for those that have a dark mode. Others turn the colours round
// themselves: each text sets its colour and background, so that they are inverted together.
const [paper, ink, softInk, dot] = ["#FBF8F3", "#1F2A35", "#52606D", "#2463A8"];
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

const serif = "Georgia, 'Times New Roman', serif";
const sans = "Figtree, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";

export const wordsStyle: CSSProperties = {
  color: ink,
  fontFamily: serif,
  fontSize: "18px",
  lineHeight: "29px",
  margin: "0 0 18px",
  wordBreak: "break-word",
};
const smallStyle = {
  ...{ color: softInk, fontFamily: sans, fontSize: "14px", lineHeight: "22px" },
  ...{ margin: "0 0 14px", wordBreak: "break-word" },
} satisfies CSSProperties;

/** Keeps phones from turning dates, numbers and addresses into links. */
const noLinksOfTheirOwn = "telephone=no, date=no, address=no, email=no, url=no";

type EmailLayoutProps = {
  /** The sentence beside the subject in a list of emails; also what the document is called. */
  preview: string;
  /** The coach's first name when absent. */
  signature?: string;
  remark?: ReactNode;
  /** At the very end: how to have fewer emails. */
  foot?: ReactNode;
  children: ReactNode;
};

/** An email in the site's voice: one column, one dot, a signature, nothing that loads from outside. */
export function EmailLayout({ preview, signature, remark, foot, children }: EmailLayoutProps) {
  const site = useSite();
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>{preview}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content={noLinksOfTheirOwn} />
        <style>{styles}</style>
      </head>
      <body className="page" style={{ backgroundColor: paper, margin: 0, padding: 0 }}>
        <Preview text={preview.slice(0, previewLength)} />
        {/* Some programs drop the styles of the body: a table in it repeats the colour. */}
        <LayoutTable cellStyle={{ backgroundColor: paper, padding: "32px 16px" }}>
          {/* Outlook reads no max-width and shows the column as wide as the window. */}
          <LayoutTable
            className="sheet"
            style={{ backgroundColor: paper, maxWidth: "560px", margin: "0 auto" }}
          >
            <p
              className="link"
              aria-hidden="true"
              data-skip-in-text
              style={{ color: dot, fontSize: "28px", lineHeight: "28px", margin: "0 0 24px" }}
            >
              ●
            </p>
            {children}
            <Words>{signature ?? site.coachFirstName}</Words>
            <div data-skip-in-text style={{ height: "14px" }} />
            {remark && <SmallWords>{remark}</SmallWords>}
            {foot && <SmallWords>{foot}</SmallWords>}
          </LayoutTable>
        </LayoutTable>
      </body>
    </html>
  );
}

type LayoutTableProps = ComponentProps<"table"> & { cellStyle?: CSSProperties };

function LayoutTable({ cellStyle, children, ...props }: LayoutTableProps) {
  const size = { width: "100%", border: 0, cellPadding: "0", cellSpacing: "0" };
  return (
    <table align="center" role="presentation" {...size} {...props}>
      <tbody>
        <tr>
          <td style={cellStyle}>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

const previewLength = 150;
// A no-break space and characters without width: lists neither show nor collapse them.
const filler = "\u00A0\u200C\u200B\u200D\u200E\u200F\uFEFF";
const hidden = { display: "none", overflow: "hidden", maxHeight: 0, maxWidth: 0 };

// Seen only in the list of emails. The filler keeps the first words of the email itself out of it.
function Preview({ text }: { text: string }) {
  const missing = previewLength - text.length;
  return (
    <div style={{ ...hidden, lineHeight: "1px", opacity: 0 }} data-skip-in-text>
      {text}
      {missing > 0 && <div>{filler.repeat(missing)}</div>}
    </div>
  );
}

export function Words({ children }: { children?: ReactNode }) {
  return (
    <p className="words" style={wordsStyle}>
      {children}
    </p>
  );
}

function SmallWords({ children }: { children: ReactNode }) {
  return (
    <p className="small" style={smallStyle}>
      {children}
    </p>
  );
}

type SmallLinkProps = Pick<ComponentProps<"a">, "href" | "children" | "style">;

/** A link, in a new tab where the email itself is read in one. */
export function SmallLink({ href, children, style }: SmallLinkProps) {
  return (
    <a
      className="link"
      href={href}
      target="_blank"
      style={{ color: dot, textDecoration: "underline", ...style }}
      rel="noopener"
    >
      {children}
    </a>
  );
}

/** A link that looks like a button, within a text. */
export function EmailButton({ href, children }: Pick<ComponentProps<"a">, "href" | "children">) {
  return (
    <a className="act" href={href} target="_blank" style={buttonStyle} rel="noopener">
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; React writes no such comments */}
      <span dangerouslySetInnerHTML={before} />
      <span style={labelStyle}>{children}</span>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; React writes no such comments */}
      <span dangerouslySetInnerHTML={after} />
    </a>
  );
}

/** The one thing to do, as a button; below it the bare address, for those whose button does nothing. */
export function Act({ href, children }: { href: string; children: string }) {
  return (
    <>
      <p style={{ fontSize: "14px", lineHeight: "24px", margin: "28px 0 18px" }}>
        <EmailButton href={href}>{children}</EmailButton>
      </p>
      <div data-skip-in-text style={{ paddingBottom: "10px" }}>
        <SmallWords>
          If the button does nothing, copy this address into your browser:
          <br />
          {/* At its slashes where it can, anywhere where it must. */}
          <SmallLink href={href} style={{ textDecoration: "none" }}>
            {href}
          </SmallLink>
        </SmallWords>
      </div>
    </>
  );
}

// Outlook on Windows draws with the engine of Word and has no padding on links. It gets hair spaces,
// widened fourfold, one for every 8 px, and text that is raised by the padding: the numbers are
// those of the React Email library.
type OutlookStyle = CSSProperties & { msoPaddingAlt: string; msoTextRaise?: string };
const [across, down] = [24, 12];
const pointsPerPixel = 3 / 4;
const hairSpaces = "&#8202;".repeat(across / 8);
const outlookOnly = (raise: string, spaces: string) => ({
  __html: `<!--[if mso]><i style="mso-font-width:400%${raise}" hidden>${spaces}</i><![endif]-->`,
});
const before = outlookOnly(`;mso-text-raise:${2 * down * pointsPerPixel}`, hairSpaces);
const after = outlookOnly("", `${hairSpaces}&#8203;`);
const buttonStyle: OutlookStyle = {
  ...{ display: "inline-block", maxWidth: "100%", padding: `${down}px ${across}px` },
  ...{ backgroundColor: dot, borderRadius: "10px", color: "#FFFFFF", textDecoration: "none" },
  ...{ fontFamily: sans, fontSize: "17px", fontWeight: 600, lineHeight: "24px" },
  msoPaddingAlt: "0px",
};
const labelStyle: OutlookStyle = {
  ...{ display: "inline-block", maxWidth: "100%", lineHeight: "120%" },
  ...{ msoPaddingAlt: "0px", msoTextRaise: `${down * pointsPerPixel}px` },
};
