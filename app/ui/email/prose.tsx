import type { ComponentProps, CSSProperties } from "react";
import { EmailAnchor } from "./elements.tsx";
import { serif } from "./email-layout.tsx";

const words: CSSProperties = {
  color: "#1F2A35",
  fontFamily: serif,
  fontSize: "18px",
  lineHeight: "29px",
};
const paragraph = { ...words, margin: "0 0 18px" };
const list = { ...words, margin: "0 0 18px", paddingLeft: "28px" };
const cell: CSSProperties = {
  ...words,
  border: "1px solid #E7DFD3",
  fontSize: "16px",
  padding: "6px 10px",
  textAlign: "left",
  verticalAlign: "top",
};

type HeadingProps = { level?: 1 | 2 | 3; children?: ComponentProps<"h2">["children"] };

/** A heading within an email: of a lesson (1), of a part of it. */
export function EmailHeading({ level = 2, children }: HeadingProps) {
  const Tag = `h${level}` as const;
  const size = { 1: "28px", 2: "22px", 3: "18px" }[level];
  const style = { ...words, fontSize: size, lineHeight: 1.25, fontWeight: 400 };
  return (
    <Tag className="words" style={{ ...style, margin: level === 1 ? "0 0 20px" : "30px 0 12px" }}>
      {children}
    </Tag>
  );
}

/** A thin line between two things of an email. */
export function EmailRule() {
  const style = { width: "100%", border: "none", borderTop: "1px solid #E7DFD3", margin: "32px 0" };
  return <hr className="line" style={style} />;
}

export function EmailLink({ href, children }: Pick<ComponentProps<"a">, "href" | "children">) {
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

/** How the elements of a text look in an email: for a tree of HTML that was made safe. */
export const emailElements = {
  p: ({ children }: ComponentProps<"p">) => (
    <p className="words" style={paragraph}>
      {children}
    </p>
  ),
  a: EmailLink,
  h2: ({ children }: ComponentProps<"h2">) => <EmailHeading level={2}>{children}</EmailHeading>,
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
      style={{ borderLeft: "3px solid #E7DFD3", margin: "0 0 18px", padding: "2px 0 0 18px" }}
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
