import { Heading, Hr, Link } from "@react-email/components";
import type { ComponentProps, CSSProperties } from "react";
import { serif } from "./letter.tsx";

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

/** A heading within a letter: of a lesson (1), of a part of it. */
export function MailHeading({ level = 2, children }: HeadingProps) {
  const size = { 1: "28px", 2: "22px", 3: "18px" }[level];
  const style = { ...words, fontSize: size, lineHeight: 1.25, fontWeight: 400 };
  return (
    <Heading
      as={`h${level}`}
      className="words"
      style={{ ...style, margin: level === 1 ? "0 0 20px" : "30px 0 12px" }}
    >
      {children}
    </Heading>
  );
}

/** A thin line between two things of a letter. */
export function MailRule() {
  return <Hr className="line" style={{ borderColor: "#E7DFD3", margin: "32px 0" }} />;
}

/** A link in the words of a letter. */
export function MailLink({ href, children }: Pick<ComponentProps<"a">, "href" | "children">) {
  return (
    <Link className="link" href={href} style={{ color: "#2463A8", textDecoration: "underline" }}>
      {children}
    </Link>
  );
}

/** How the elements of a text look in a letter: for a tree of HTML that was made safe. */
export const mailElements = {
  p: ({ children }: ComponentProps<"p">) => (
    <p className="words" style={paragraph}>
      {children}
    </p>
  ),
  a: MailLink,
  h2: ({ children }: ComponentProps<"h2">) => <MailHeading level={2}>{children}</MailHeading>,
  h3: ({ children }: ComponentProps<"h3">) => <MailHeading level={3}>{children}</MailHeading>,
  h4: ({ children }: ComponentProps<"h4">) => <MailHeading level={3}>{children}</MailHeading>,
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
  hr: MailRule,
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
  // Nothing of a letter loads from outside.
  img: () => null,
};
