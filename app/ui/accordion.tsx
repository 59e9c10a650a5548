import type { ReactNode } from "react";

/** A list of questions that open. Native `<details>`: works without scripts, found by page search. */
export function Accordion({ children }: { children: ReactNode }) {
  return <div className="accordion">{children}</div>;
}

export function AccordionItem({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <details className="accordion-item" suppressHydrationWarning>
      <summary className="accordion-line">
        {title}
        <span className="accordion-sign" aria-hidden="true" />
      </summary>
      <div className="accordion-body">{children}</div>
    </details>
  );
}
