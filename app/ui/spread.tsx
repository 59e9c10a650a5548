import type { ReactNode } from "react";

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
