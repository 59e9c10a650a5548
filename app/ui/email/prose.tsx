import type { ComponentProps, CSSProperties } from "react";
import { SmallLink, Words, wordsStyle } from "./email-layout.tsx";

const line = "#E7DFD3";
const list = { ...wordsStyle, paddingLeft: "28px" };
const cell: CSSProperties = {
  ...wordsStyle,
  ...{ border: `1px solid ${line}`, fontSize: "16px", margin: 0, padding: "6px 10px" },
  ...{ textAlign: "left", verticalAlign: "top" },
};

type HeadingProps = { level?: 1 | 2 | 3; children?: ComponentProps<"h2">["children"] };

/** A heading within an email: of a lesson (1), of a part of it. */
export function EmailHeading({ level = 2, children }: HeadingProps) {
  const Tag = `h${level}` as const;
  const fontSize = { 1: "28px", 2: "22px", 3: "18px" }[level];
  const margin = level === 1 ? "0 0 20px" : "30px 0 12px";
  const style = { ...wordsStyle, fontSize, lineHeight: 1.25, fontWeight: 400, margin };
  return (
    <Tag className="words" style={style}>
      {children}
    </Tag>
  );
}

export function EmailRule() {
  const style = { width: "100%", border: "none", borderTop: `1px solid ${line}`, margin: "32px 0" };
  return <hr className="line" style={style} />;
}

/** How the elements of a text look in an email: for a tree of HTML that was made safe. */
export const emailElements = {
  p: Words,
  a: SmallLink,
  h2: EmailHeading,
  h3: ({ children }: ComponentProps<"h3">) => <EmailHeading level={3}>{children}</EmailHeading>,
  h4: ({ children }: ComponentProps<"h4">) => <EmailHeading level={3}>{children}</EmailHeading>,
  ul: ({ children }: ComponentProps<"ul">) => (
    <ul className="words" style={list}>
      {children}
    </ul>
  ),
  ol: ({ children, start }: ComponentProps<"ol">) => (
    <ol className="words" style={list} start={start}>
      {children}
    </ol>
  ),
  li: ({ children }: ComponentProps<"li">) => <li style={{ margin: "0 0 8px" }}>{children}</li>,
  blockquote: ({ children }: ComponentProps<"blockquote">) => (
    <blockquote
      className="line"
      style={{ borderLeft: `3px solid ${line}`, margin: "0 0 18px", padding: "2px 0 0 18px" }}
    >
      {children}
    </blockquote>
  ),
  hr: EmailRule,
  table: ({ children }: ComponentProps<"table">) => (
    <table style={{ borderCollapse: "collapse", margin: "0 0 18px" }}>{children}</table>
  ),
  th: ({ children }: ComponentProps<"th">) => (
    <th scope="col" className="words line" style={cell}>
      {children}
    </th>
  ),
  td: ({ children }: ComponentProps<"td">) => (
    <td className="words line" style={cell}>
      {children}
    </td>
  ),
  // Nothing of an email loads from outside.
  img: () => null,
};
