import type { ReactNode } from "react";
import { Page, Section } from "./page.tsx";

type Entry = {
  /** What is set large beside it; its place in the list if nothing is said. */
  figure?: string;
  /** What the figure stands for, for those who do not see it: 'Week 1: '. */
  spoken?: string;
  title: string;
  body?: ReactNode;
};

type NumberedListProps = {
  entries: Entry[];
  heading?: "h2" | "h3";
  /** Where there is room, figure, title and text stand in columns. */
  wide?: boolean;
};

export function NumberedList({ entries, heading: Heading = "h3", wide }: NumberedListProps) {
  return (
    <ol className={`numbered ${wide ? "numbered-wide" : ""}`}>
      {entries.map(({ figure, spoken, title, body }, at) => (
        <li key={title}>
          <span className="numbered-figure" aria-hidden="true">
            {figure ?? at + 1}
          </span>
          <div className="numbered-text">
            <Heading className="numbered-title text-xl">
              {spoken && <span className="sr-only">{spoken}</span>}
              {title}
            </Heading>
            {body && <div className="numbered-body">{body}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

type NextStepsProps = {
  title: string;
  lead: string;
  steps: { title: string; text: string }[];
  /** Stands after each text: what opens it for editing. */
  pencil: (at: "heading" | "lead" | "steps", item?: number) => ReactNode;
  children: ReactNode;
};

/** What is said when something has been done: that it is, and what comes next. */
export function NextSteps({ title, lead, steps, pencil, children }: NextStepsProps) {
  return (
    <Page width="text">
      <Section labelledBy="title" space="none" className="opening pb-section">
        <h1 id="title" className="text-5xl">
          {title}
          {pencil("heading")}
        </h1>
        <p className="mt-6 mb-12 text-lg text-balance text-ink-soft">
          {lead}
          {pencil("lead")}
        </p>
        <NumberedList
          heading="h2"
          entries={steps.map(({ title, text }, at) => ({
            title,
            body: (
              <>
                {text}
                {pencil("steps", at)}
              </>
            ),
          }))}
        />
        {children}
      </Section>
    </Page>
  );
}
