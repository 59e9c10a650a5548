import type { ReactNode } from "react";
import { NumberedList } from "./numbered-list.tsx";
import { Page, Section } from "./page.tsx";

type NextStepsProps = {
  title: string;
  lead: string;
  steps: { title: string; body: string }[];
  /** The ways on from here. */
  children: ReactNode;
};

/** What is said when something has been done: that it is, and what comes next. */
export function NextSteps({ title, lead, steps, children }: NextStepsProps) {
  return (
    <Page width="text">
      <Section labelledBy="title" space="none" className="opening pb-section">
        <h1 id="title" className="text-5xl">
          {title}
        </h1>
        <p className="mt-6 mb-12 text-lg text-balance text-ink-soft">{lead}</p>
        <NumberedList heading="h2" entries={steps} />
        {children}
      </Section>
    </Page>
  );
}
