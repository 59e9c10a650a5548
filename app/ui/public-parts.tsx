import { Fragment, type ReactNode } from "react";

// Parts of the public pages alone: pages that hydrate do not load them.

/** The id of a heading, for links that lead to it: 'what-you-get'. */
export const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "part";

/** A heading that breaks between its phrases before it breaks inside one: each part up to a comma,
 * colon or full stop keeps together where the line has room for it. */
export function Phrases({ children }: { children: string }) {
  return children.split(/(?<=[,:;.])\s+/).map((phrase, at) => (
    <Fragment key={phrase}>
      {at > 0 && " "}
      <span className="inline-block text-balance">{phrase}</span>
    </Fragment>
  ));
}

type QuoteProps = { children: string; who: string; after?: ReactNode; className?: string };

/** A word of one letter stays with the next: at the end of a line it would trip the reader. */
const bound = (text: string) => text.replace(/\b(I|[Aa]) /g, "$1\u00a0");

/** What somebody said, set large, with the marks hanging in the margin. */
export function Quote({ children, who, after, className = "" }: QuoteProps) {
  return (
    <figure className={`quote ${className}`}>
      <blockquote>
        <p>{`“${bound(children)}”`}</p>
      </blockquote>
      <figcaption>
        {who}
        {after}
      </figcaption>
    </figure>
  );
}

type SpreadProps = {
  /** Of the heading; links lead to it. */
  id: string;
  title: ReactNode;
  children: ReactNode;
  className?: string;
};

/** A part of a page as in an open book: its heading at the left, its text at the right. */
export function Spread({ id, title, children, className = "" }: SpreadProps) {
  return (
    <section
      aria-labelledby={id}
      className={`columns items-baseline gap-y-5 py-section ${className}`}
    >
      <h2 id={id} className="column-start text-2xl">
        {title}
      </h2>
      <div className="column-end">{children}</div>
    </section>
  );
}
