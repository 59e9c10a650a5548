import type { ComponentProps, CSSProperties, ReactNode } from "react";

// The few elements of which an email is made where plain ones would not do: mail programs lay out
// by tables, and Outlook on Windows draws with the engine of Word.

/** A table that is only layout: one row with one cell. */
function LayoutTable({
  cellStyle,
  rowStyle,
  children,
  ...props
}: ComponentProps<"table"> & { cellStyle?: CSSProperties; rowStyle?: CSSProperties }) {
  return (
    <table
      align="center"
      width="100%"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      role="presentation"
      {...props}
    >
      <tbody>
        <tr style={rowStyle}>
          <td style={cellStyle}>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

type EmailBodyProps = { className: string; background: string; padding: string } & {
  preview: string;
  children: ReactNode;
};

/** Some programs drop the styles of `<body>`: a table in it repeats the colour and has the padding. */
export function EmailBody({ className, background, padding, preview, children }: EmailBodyProps) {
  return (
    <body className={className} style={{ backgroundColor: background, margin: 0, padding: 0 }}>
      <EmailPreview>{preview}</EmailPreview>
      <LayoutTable cellStyle={{ backgroundColor: background, margin: 0, padding }}>
        {children}
      </LayoutTable>
    </body>
  );
}

/** The centred column. Outlook reads no `max-width` and shows it as wide as the window. */
export function EmailContainer(props: ComponentProps<"table">) {
  return <LayoutTable rowStyle={{ width: "100%" }} {...props} />;
}

const previewLength = 150;
/** A no-break space and characters without width: lists neither show nor collapse them. */
const filler = "\u00A0\u200C\u200B\u200D\u200E\u200F\uFEFF";

/** Seen only in the list of emails. The filler keeps the first words of the email itself out of it. */
function EmailPreview({ children }: { children: string }) {
  const text = children.slice(0, previewLength);
  return (
    <div
      style={{
        display: "none",
        overflow: "hidden",
        lineHeight: "1px",
        opacity: 0,
        maxHeight: 0,
        maxWidth: 0,
      }}
      data-skip-in-text
    >
      {text}
      {text.length < previewLength && <div>{filler.repeat(previewLength - text.length)}</div>}
    </div>
  );
}

/** A link, in a new tab where the email itself is read in one. */
export function EmailAnchor(props: ComponentProps<"a">) {
  return <a {...props} target="_blank" />;
}

/** Styles of Outlook, which React's types do not know. */
type OutlookStyle = CSSProperties & { msoPaddingAlt: string; msoTextRaise?: string };

const [across, down] = [24, 12];
const pointsPerPixel = 3 / 4;
/**
 * Outlook has no padding on links. It gets hair spaces, widened fourfold, one for every 8 px, and
 * text that is raised by the padding: the numbers are those of the React Email library.
 */
const hairSpaces = "&#8202;".repeat(across / 8);
const outlookOnly = (raise: string, spaces: string) => ({
  __html: `<!--[if mso]><i style="mso-font-width:400%${raise}" hidden>${spaces}</i><![endif]-->`,
});
const before = outlookOnly(`;mso-text-raise:${2 * down * pointsPerPixel}`, hairSpaces);
const after = outlookOnly("", `${hairSpaces}&#8203;`);

/** A link that looks like a button, with the same padding in every program. */
export function EmailButton({ style, children, ...props }: ComponentProps<"a">) {
  const link: OutlookStyle = {
    display: "inline-block",
    maxWidth: "100%",
    msoPaddingAlt: "0px",
    textDecoration: "none",
    ...style,
    padding: `${down}px ${across}px`,
  };
  const words: OutlookStyle = {
    maxWidth: "100%",
    display: "inline-block",
    lineHeight: "120%",
    msoPaddingAlt: "0px",
    msoTextRaise: `${down * pointsPerPixel}px`,
  };
  return (
    <EmailAnchor {...props} style={link}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; React writes no such comments */}
      <span dangerouslySetInnerHTML={before} />
      <span style={words}>{children}</span>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; React writes no such comments */}
      <span dangerouslySetInnerHTML={after} />
    </EmailAnchor>
  );
}
