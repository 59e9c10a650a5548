type QuoteProps = { children: string; who: string; className?: string };

/** A word of one email stays with the next: at the end of a line it would trip the reader. */
const bound = (text: string) => text.replace(/\b(I|[Aa]) /g, "$1\u00a0");

/** What somebody said, set large, with the marks hanging in the margin. */
export function Quote({ children, who, className = "" }: QuoteProps) {
  return (
    <figure className={`quote ${className}`}>
      <blockquote>
        <p>{`“${bound(children)}”`}</p>
      </blockquote>
      <figcaption>{who}</figcaption>
    </figure>
  );
}
