import type { ReactNode } from "react";

/** A list of questions that open. Native `<details>`: works without scripts, found by page search. */
export function Accordion({ children }: { children: ReactNode }) {
  return <div className="accordion">{children}</div>;
}

type AccordionItemProps = {
  title: ReactNode;
  children: ReactNode;
  /** Items of one name close each other. Leave it out to let several stay open. */
  name?: string;
  open?: boolean;
};

/** One question and its answer. */
export function AccordionItem({ title, children, name, open }: AccordionItemProps) {
  return (
    <details className="accordion-item" name={name} open={open} suppressHydrationWarning>
      <summary>
        {title}
        <span className="accordion-sign" aria-hidden="true" />
      </summary>
      <div className="accordion-body">{children}</div>
    </details>
  );
}
